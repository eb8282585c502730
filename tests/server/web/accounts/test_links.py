"""One-time links: an account, a new password, a team; each once."""

from __future__ import annotations

from datetime import timedelta

from runoff.server.store.access import NewLink, save_link
from runoff.server.store.people import load_members, load_person_by_email
from runoff.server.web.server import invite
from tests.server.cases.served import NOW
from tests.server.store.backends import both_databases

GOOD = {"display_name": "Bea <b>", "password": "long enough for all"}


@both_databases
def test_an_account_is_made_once(serving):
    path = invite(serving.site, "bea@example.org", "member").removeprefix("http://testserver")
    assert "bea@example.org" in serving.client.get(path).text
    short = serving.client.post(path, data={"display_name": "Bea", "password": "short"})
    assert short.status_code == 422
    assert "12 to" in short.text
    assert serving.client.post(path, data=GOOD).headers["location"] == "/sign-in?after=account"
    assert "Your account was created" in serving.client.get("/sign-in?after=account").text
    assert serving.client.post(path, data=GOOD).status_code == 404
    assert serving.client.get(path).status_code == 404
    data = {"email": "bea@example.org", "password": GOOD["password"]}
    assert serving.client.post("/sign-in", data=data).status_code == 303
    page = serving.client.get("/account").text
    assert "Bea &lt;b&gt;" in page
    assert "Bea <b>" not in page


def test_an_old_link_is_gone_and_a_second_one_sets_the_password(serving):
    old = invite(serving.site, "bea@example.org", "organiser").removeprefix("http://testserver")
    serving.clock.moment = NOW + timedelta(hours=serving.site.settings.link_hours)
    assert serving.client.post(old, data=GOOD).status_code == 404
    path = invite(serving.site, "ann@example.org", "member").removeprefix("http://testserver")
    assert "Choose a new password" in serving.client.get(path).text
    assert serving.client.post(path, data=GOOD).status_code == 303
    with serving.site.database.read() as connection:
        person = load_person_by_email(connection, "ann@example.org")
    assert person is not None
    assert person.role == "member"


def test_a_team_is_joined_by_who_is_signed_in(serving):
    new = NewLink(
        kind="team", email="x@example.org", token="t" * 30, expires_at=NOW + timedelta(days=1),
        team_id=serving.served.team.id,
    )  # fmt: skip
    serving.site.database.write(lambda connection: save_link(connection, new, actor=None, now=NOW))
    path = "/links/" + "t" * 30
    assert "Sign in" in serving.client.get(path).text
    assert serving.client.post(path).status_code == 422
    csrf = serving.sign_in(serving.served.organiser)
    assert "Oaks" in serving.client.get(path).text
    assert serving.client.post(path, data={"csrf": csrf}).headers["location"] == "/account"
    with serving.site.database.read() as connection:
        members = load_members(connection, serving.served.team.id)
    assert [person.email for person in members] == ["ann@example.org", "olga@example.org"]
