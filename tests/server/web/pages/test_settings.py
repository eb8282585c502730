"""The page of a board's settings."""

from __future__ import annotations

from runoff.server.store.boards import load_board
from runoff.verdicts import Policy
from tests.server.web.checks import checked
from tests.server.web.served import CSRF, app_of, ask

ADDRESS = "/boards/passages/settings"


def form_of(fixture):
    page = checked(ask(app_of(fixture.site, fixture.organiser), ADDRESS).text)
    fields = {one["name"]: one.get("value", "") for one in page.all("input") if "name" in one}
    return fields | {
        "description": "d",
        "correction": "holm",
        "record_rule": "holm",
        "release": "ladder",
        "suspicious_runs": "refuse",
        "public_labels": "open",
        "csrf": CSRF,
    }


def save(fixture, **changes):
    return ask(app_of(fixture.site, fixture.organiser), ADDRESS, "POST", data=form_of(fixture) | changes)


def stored(fixture):
    with fixture.site.database.read() as connection:
        return load_board(connection, fixture.board.id)


def test_settings_are_changed_once_per_version(small):
    answer = save(small, private_until="2026-05-01T12:00", digits="2")
    assert (answer.status_code, answer.headers["location"]) == (303, "/boards/passages/organise?done=saved")
    board = stored(small)
    assert (board.record_rule, Policy.of(board).record_rule) == ("holm", "holm")
    assert (board.digits, board.release, f"{board.private_until:%Y-%m-%d %H}") == (2, "ladder", "2026-05-01 12")
    again = save(small, digits="4", version="1")
    assert again.status_code == 422
    assert "has since been changed" in again.text
    assert stored(small).digits == 2


def test_every_field_that_is_wrong_is_told_beside_it(small):
    answer = save(small, digits="many", closes_at="later", measure="RR@ten")
    page = checked(answer.text)
    assert answer.status_code == 422
    assert [one["name"] for one in page.all("input") if "aria-invalid" in one] == ["measure", "closes_at", "digits"]
    assert "3 fields have to be fixed" in " ".join(page.words)
    assert save(small, csrf="guessed").status_code == 403
    assert stored(small).version == 1


def test_a_change_that_scores_again_says_so_and_the_board_too(small):
    answer = save(small, measure="nDCG@10")
    assert answer.headers["location"].endswith("done=rescore")
    shown = ask(app_of(small.site), "/boards/passages").text
    assert "0 of 3 runs are rescored so far." in shown


def test_others_are_refused(small):
    assert ask(app_of(small.site, small.member), ADDRESS).status_code == 403
    sent = ask(app_of(small.site, small.member), ADDRESS, "POST", data={"csrf": CSRF})
    assert sent.status_code == 403
