"""Signing in: one answer for every failure, limits, cookies."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from fastapi.testclient import TestClient

from runoff.server.web.app import create_app
from tests.server.cases.served import NOW
from tests.server.store.backends import both_databases


def attempt(serving, email, password):
    return serving.client.post("/sign-in", data={"email": email, "password": password})


def test_in_and_out(serving):
    csrf = serving.sign_in(serving.served.member)
    page = serving.client.get("/account")
    assert "ann@example.org" in page.text
    assert serving.client.post("/sign-out", data={"csrf": csrf}).headers["location"] == "/sign-in"
    assert serving.client.get("/account").status_code == 303


@both_databases
def test_failures_look_the_same_and_are_limited(serving):
    serving.sign_in(serving.served.member)
    serving.client.cookies.clear()
    wrong, nobody = attempt(serving, "ann@example.org", "x"), attempt(serving, "<b>", "x")
    assert wrong.status_code == nobody.status_code == 403
    assert wrong.text.replace("ann@example.org", "") == nobody.text.replace("&lt;b&gt;", "")
    for _ in range(9):
        attempt(serving, "ann@example.org", "x")
    refused = attempt(serving, "ann@example.org", "correct horse battery")
    assert refused.status_code == 429
    assert "wait 15 minutes" in refused.text
    serving.clock.moment = NOW + timedelta(minutes=15)
    assert attempt(serving, "ann@example.org", "correct horse battery").status_code == 303


def test_cookies_are_out_of_reach_of_scripts_and_secure_over_https(serving):
    serving.sign_in(serving.served.member)
    header = attempt(serving, "ann@example.org", "correct horse battery")
    assert header.status_code == 403  # a second form needs the token of the first session
    serving.client.cookies.clear()
    cookie = attempt(serving, "ann@example.org", "correct horse battery").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    secure = replace(serving.site, settings=replace(serving.site.settings, base_url="https://testserver"))
    with TestClient(create_app(secure), follow_redirects=False) as client:
        data = {"email": "ann@example.org", "password": "correct horse battery"}
        cookie = client.post("/sign-in", data=data).headers["set-cookie"]
        assert cookie.startswith("__Host-runoff=")
        assert "Secure" in cookie
        assert "max-age" in client.get("/sign-in").headers["strict-transport-security"]


def test_signing_in_leads_back_to_the_page_that_asked_for_it(serving):
    serving.sign_in(serving.served.member)
    serving.client.cookies.clear()
    form = serving.client.get("/sign-in?to=/boards/b/submit").text
    assert 'name="to" value="/boards/b/submit"' in form
    data = {"email": "ann@example.org", "password": "correct horse battery", "to": "/boards/b/submit"}
    wrong = serving.client.post("/sign-in", data=data | {"password": "x"})
    assert 'name="to" value="/boards/b/submit"' in wrong.text
    assert serving.client.post("/sign-in", data=data).headers["location"] == "/boards/b/submit"


def test_signing_in_leads_nowhere_else(serving):
    serving.sign_in(serving.served.member)
    for to in ["//evil.example", "/\\evil.example", "https://evil.example", "evil", "/a\nb", "/" + "a" * 999]:
        serving.client.cookies.clear()
        assert 'name="to" value=""' in serving.client.get("/sign-in", params={"to": to}).text
        data = {"email": "ann@example.org", "password": "correct horse battery", "to": to}
        assert serving.client.post("/sign-in", data=data).headers["location"] == "/account", to
