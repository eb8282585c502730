"""What a thief of a token, a session or a mailbox can do, and how its owner ends it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from fastapi.testclient import TestClient

from runoff.server.cases.accounts.sign_in import RESETS, TOKEN_DAYS, make_api_token
from runoff.server.cases.reads import load_open_links
from runoff.server.web.app import create_app
from runoff.server.web.visitors import csrf_of
from tests.server.cases.served import NOW
from tests.server.store.backends import both_databases
from tests.server.web.serving import API

OLD, NEW = "correct horse battery", "a walnut under snow"


def may_use(serving, headers):
    return serving.client.get(f"{API}/boards", headers=headers).status_code == 200


def bearer_on(page):
    """The header of the token that a page shows."""
    (token,) = re.findall(r"<code>([\w-]{43})</code>", page)
    return {"Authorization": f"Bearer {token}"}


def change(serving, csrf, **fields):
    return serving.client.post("/account/password", data={"csrf": csrf, "password": OLD, "new_password": NEW, **fields})


@both_databases
def test_a_token_ends_by_itself(serving):
    csrf = serving.sign_in(serving.served.member)
    page = serving.client.post("/account/tokens", data={"csrf": csrf, "name": "t", "read": "yes", "days": "7"}).text
    week = bearer_on(page)
    page = serving.client.post("/account/tokens", data={"csrf": csrf, "name": "t", "read": "yes"}).text
    usual = bearer_on(page)
    serving.client.cookies.clear()
    assert may_use(serving, week)
    serving.clock.moment = NOW + timedelta(days=7)
    assert not may_use(serving, week)
    assert may_use(serving, usual)
    serving.clock.moment = NOW + timedelta(days=TOKEN_DAYS)
    assert not may_use(serving, usual)


@pytest.mark.parametrize("days", ["0", "367", "-1", "9" * 30, "never", "1e3"])
def test_no_token_is_for_ever(serving, days):
    csrf = serving.sign_in(serving.served.member)
    answer = serving.client.post("/account/tokens", data={"csrf": csrf, "name": "t", "read": "yes", "days": days})
    assert answer.status_code == 422
    assert "shown this once" not in answer.text


@both_databases
def test_a_new_password_ends_every_other_way_in(serving):
    thief = TestClient(serving.client.app, follow_redirects=False)
    csrf = serving.sign_in(serving.served.member)
    thief.cookies.update(dict(serving.client.cookies))
    assert thief.get("/account").status_code == 200
    assert may_use(serving, serving.bearer)
    answer = change(serving, csrf)
    assert (answer.status_code, answer.headers["location"]) == (303, "/account?done=password")
    assert "API tokens are revoked" in serving.client.get("/account?done=password").text
    assert thief.get("/account").status_code == 303
    serving.client.cookies.clear()
    assert not may_use(serving, serving.bearer)
    sign_in = {"email": serving.served.member.email, "password": OLD}
    assert serving.client.post("/sign-in", data=sign_in).status_code == 403
    assert serving.client.post("/sign-in", data=sign_in | {"password": NEW}).status_code == 303


@both_databases
def test_a_stolen_session_does_not_change_the_password(serving):
    csrf = serving.sign_in(serving.served.member)
    for _ in range(serving.site.settings.login_failures):
        assert change(serving, csrf, password="a guess").status_code == 403
    assert change(serving, csrf).status_code == 429, "guesses are limited here too"
    serving.clock.moment = NOW + timedelta(minutes=15)
    for bad in ("short", "password1234", "ann@example.org", OLD[:11]):
        answer = change(serving, csrf, new_password=bad)
        assert answer.status_code == 422, bad
    assert change(serving, csrf).status_code == 303


def test_a_token_does_not_change_the_password(serving):
    data = {"password": OLD, "new_password": NEW}
    assert serving.client.post("/account/password", data=data, headers=serving.bearer).status_code == 403


@both_databases
def test_a_forgotten_password_by_mail_tells_nobody_who_has_an_account(serving):
    def open_links():
        with serving.site.database.read() as connection:
            return [link for link in load_open_links(connection, NOW) if link.kind == "password"]

    assert serving.client.post("/forgotten-password", data={"email": "ann@example.org"}).status_code == 422
    assert "sends no mail" in serving.client.get("/forgotten-password").text
    settings = replace(serving.site.settings, mail="smtp://127.0.0.1:1", mail_from="runoff@example.org")
    with TestClient(create_app(replace(serving.site, settings=settings)), follow_redirects=False) as client:
        answers = [
            client.post("/forgotten-password", data={"email": email})
            for email in ("ann@example.org", "nobody@example.org", "not an address")
        ]
        assert {(answer.status_code, answer.headers["location"]) for answer in answers} == {
            (303, "/sign-in?after=forgotten")
        }
        assert [link.email for link in open_links()] == ["ann@example.org"]
        again = [client.post("/forgotten-password", data={"email": "ann@example.org"}).status_code for _ in range(9)]
        assert again == [303] * (RESETS - 1) + [429] * (10 - RESETS)
        assert len(open_links()) == RESETS


def test_tokens_may_do_what_they_name(serving):
    member, organiser = serving.served.member, serving.served.organiser
    reads, submits = serving.token_of(member, "read"), serving.token_of(member, "submit")
    files = {"file": ("a.run", b"x")}
    assert serving.client.post(f"{API}/boards/trees/runs", files=files, headers=reads).status_code == 403
    assert serving.client.post(f"{API}/boards/trees/runs", files=files, headers=submits).status_code == 422
    organises, only_reads = serving.token_of(organiser, "organise", "read"), serving.token_of(organiser, "read")
    assert serving.client.get("/boards/trees/organise", headers=organises).status_code == 200
    assert serving.client.get("/boards/trees/organise", headers=only_reads).status_code == 403
    settings = serving.client.post("/boards/trees/settings", data={"title": "x"}, headers=organises)
    assert settings.status_code == 403, "changes are made in a browser"
    csrf = serving.sign_in(organiser)
    page = serving.client.get("/account").text
    assert "changes are made in a browser" in page
    assert 'name="judge"' not in page
    assert csrf == csrf_of(serving.client.cookies["runoff"])


def test_the_usual_token_lasts_ninety_days(serving):
    _, token = make_api_token(
        serving.site.database, serving.served.member, name="t", scopes=frozenset({"read"}), now=NOW
    )
    assert token.expires_at == NOW + timedelta(days=90)
