"""Who may do what: what the table in `tests/golden/expected/access.md` has to hold, and what it may never allow.

`tests/golden/test_outputs.py` asks for every address again and compares; `make golden` renews the table.
"""

from __future__ import annotations

import re

import pytest

from tests.golden.stored import EXPECTED
from tests.server.web.access import CHANGED, SIGN_IN, asked_for, read_table, routes

TABLE = read_table((EXPECTED / "access.md").read_text(encoding="utf-8"))
REFUSED = {"401", "403", "404", SIGN_IN}
FOR_ORGANISERS = re.compile(r"\w+ (/organise/|/boards/\{slug\}/(organise|settings|labels|campaigns))")
OF_ANYBODY = {
    "POST /enter/{token}", "POST /links/{token}", "POST /sign-in", "POST /sign-in (wrong password)",
    "POST /forgotten-password",
}  # fmt: skip
"""What changes something for whoever has a link, a password or a mail address."""
OWN_INVITATION = "POST /organise/links/{number}/withdraw (of a team)"
SUBMIT = "POST /api/v1/boards/{slug}/runs"
OF_NOBODY = {
    "GET /boards/{slug}/organise/charts/{name}.svg": "the audit of a board without private queries has no chart",
    "POST /sign-in (wrong password)": "it is wrong",
}
"""What is refused to everybody, and why."""


def changes(who: str) -> set[str]:
    """The addresses at which somebody changes something."""
    return {address for address, cells in TABLE.items() if cells[who].endswith(CHANGED)}


def test_every_address_is_in_the_table():
    names = [f"{route} ({one.note})" if one.note else route for route in routes() for one in asked_for(route)]
    assert list(TABLE) == names, "`make golden` asks for what is new; look at what is allowed, and commit the table"


def test_every_address_is_answered_to_somebody():
    answered = {
        address
        for address, cells in TABLE.items()
        if {cell.removesuffix(CHANGED) for cell in cells.values()} & {"200", "202", "303"} or "as Elms" in address
    }
    assert set(TABLE) - answered == set(OF_NOBODY)
    assert [cells for cells in TABLE.values() if any(cell.startswith("5") for cell in cells.values())] == []


def test_without_an_account_nobody_changes_anything_but_by_a_link_or_a_password():
    assert changes("nobody") == OF_ANYBODY


def test_whose_account_is_closed_is_nobody():
    assert [address for address, cells in TABLE.items() if cells["closed account"] != cells["nobody"]] == []


def test_a_forged_form_changes_nothing():
    assert changes("forged form") == set()
    posts = {cells["forged form"] for address, cells in TABLE.items() if address.startswith("POST")}
    assert posts == {"403"}


@pytest.mark.parametrize("token", ["token: read", "token: submit", "token: organise"])
def test_tokens_change_nothing_but_that_one_submits(token):
    assert changes(token) == ({SUBMIT} if token == "token: submit" else set())  # noqa: S105


def test_what_is_for_organisers_is_for_nobody_else():
    mine = {"organiser", "token: organise", "forged form"}
    for address, cells in TABLE.items():
        if FOR_ORGANISERS.match(address):
            allowed = {who for who, cell in cells.items() if cell.removesuffix(CHANGED) not in REFUSED}
            assert allowed <= (mine | {"team"} if address == OWN_INVITATION else mine), address


def test_what_is_of_a_team_is_for_its_members_and_organisers():
    for address in TABLE:
        if "embargo" in address or address == "GET /teams/{slug}":
            cells = {who: cell for who, cell in TABLE[address].items() if cell == "200"}
            assert set(cells) == {"team", "token: submit", "organiser", "token: organise", "forged form"}, address


def test_only_who_holds_a_task_answers_it():
    for kind in ("choices", "undo"):
        assert [who for who, cell in TABLE[f"POST /judge/{{slug}}/{kind}"].items() if CHANGED in cell] == ["assessor"]
