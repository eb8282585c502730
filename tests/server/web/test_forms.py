"""Forms: those of other sites and other sessions are refused, on every page that takes one."""

from __future__ import annotations

import pytest
from fastapi.routing import APIRoute

from runoff.server.web.accounts import ACCOUNT_ROUTERS
from runoff.server.web.api import PREFIX
from runoff.server.web.app import ROUTES
from runoff.server.web.forms import signed_form, signed_list


def calls(dependant):
    yield dependant.call
    for one in dependant.dependencies:
        yield from calls(one)


def test_every_page_that_changes_something_takes_a_signed_form():
    routes = [
        route
        for prefix, routers in ROUTES
        if prefix != PREFIX
        for router in routers
        for route in router.routes
        if isinstance(route, APIRoute) and route.methods != {"GET"}
    ]
    assert len(routes) >= 5
    unsigned = [route.path for route in routes if not {signed_form, signed_list} & set(calls(route.dependant))]
    # They take files and check origin and token themselves: tests/server/web/pages/test_submit.py, test_campaign.py and
    # test_campaign_files.py, and tests/server/web/test_form_files.py send both wrong.
    assert unsigned == [
        "/boards/{slug}/submit", "/organise/new-board", "/organise/board-archive", "/boards/{slug}/labels",
        "/boards/{slug}/campaigns/{number}/texts", "/boards/{slug}/campaigns/{number}/judgments",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}],
)
def test_other_sites_are_refused(serving, headers):
    answer = serving.client.post("/sign-in", data={"email": "a", "password": "b"}, headers=headers)
    assert answer.status_code in {401, 403}
    assert "another site" in answer.text


def test_a_form_without_the_token_of_the_session_does_nothing(serving):
    csrf = serving.sign_in(serving.served.member)
    for sent in ("", "x", csrf + "x", "é"):
        assert serving.client.post("/sign-out", data={"csrf": sent}).status_code == 403
    assert serving.client.get("/account").status_code == 200
    own = {"Origin": "http://testserver"}
    assert serving.client.post("/sign-out", data={"csrf": csrf}, headers=own).status_code == 303
    assert serving.client.get("/account").status_code == 303


def test_forms_with_files_are_refused(serving):
    assert serving.client.post("/sign-in", files={"email": ("a", b"x")}).status_code == 422


def test_account_pages_are_listed():
    assert len(ACCOUNT_ROUTERS) == 2
