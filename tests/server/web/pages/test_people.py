"""The page of people, for organisers, and members in their teams."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from runoff.server.store.jobs import load_jobs
from runoff.server.store.submissions import MAIL
from tests.server.store.backends import both_databases
from tests.server.web.checks import checked

ADDRESS = "/organise/people"


def test_links_are_shown_once_and_withdrawn(serving):
    csrf = serving.sign_in(serving.served.organiser)
    made = serving.client.post(ADDRESS, data={"csrf": csrf, "email": "New@example.org", "role": "assessor"})
    (link,) = re.findall(r"http://testserver(/links/[\w-]+)", made.text)
    checked(made.text)
    shown = serving.client.get(ADDRESS).text
    assert "create an account, assessor" in shown
    assert link not in shown
    (number,) = re.findall(r"/organise/links/(\d+)/withdraw", shown)
    assert serving.client.post(f"/organise/links/{number}/withdraw", data={"csrf": csrf}).status_code == 303
    assert serving.client.get(link).status_code == 404
    wrong = serving.client.post(ADDRESS, data={"csrf": csrf, "email": "x", "role": "king"})
    assert wrong.status_code == 422
    assert "not an email address" in wrong.text


@both_databases
def test_roles_accounts_and_tokens(serving):
    csrf = serving.sign_in(serving.served.organiser)
    page = checked(serving.client.get(ADDRESS).text)
    assert "import@runoff.invalid" not in " ".join(page.words)
    member, organiser = serving.served.member.id, serving.served.organiser.id
    assert serving.client.post(f"{ADDRESS}/{organiser}/close", data={"csrf": csrf}).status_code == 422
    assert serving.client.post(f"{ADDRESS}/{member}/role", data={"csrf": csrf, "role": "king"}).status_code == 422
    token = re.findall(r"/organise/tokens/(\d+)/revoke", serving.client.get(ADDRESS).text)[0]
    assert serving.client.post(f"/organise/tokens/{token}/revoke", data={"csrf": csrf}).status_code == 303
    assert serving.run(1).status_code == 401
    answer = serving.client.post(f"{ADDRESS}/{member}/role", data={"csrf": csrf, "role": "assessor"})
    assert answer.headers["location"].endswith("done=role")
    answer = serving.client.post(f"{ADDRESS}/{member}/close", data={"csrf": csrf})
    assert answer.headers["location"].endswith("done=closed")


def test_members_are_refused(serving):
    csrf = serving.sign_in(serving.served.member)
    assert serving.client.get(ADDRESS).status_code == 403
    for path in (ADDRESS, f"{ADDRESS}/1/close", f"{ADDRESS}/1/role", "/organise/tokens/1/revoke"):
        assert (
            serving.client.post(path, data={"csrf": csrf, "role": "organiser", "email": "a@b.org"}).status_code == 403
        )


def test_a_team_manages_its_own_members(serving):
    csrf = serving.sign_in(serving.served.member)
    made = serving.client.post("/teams/oaks/invitations", data={"csrf": csrf, "email": "new@example.org"})
    (link,) = re.findall(r"http://testserver(/links/[\w-]+)", made.text)
    checked(made.text)
    assert serving.client.post("/teams/oaks/invitations", data={"csrf": csrf, "email": "x"}).status_code == 422
    own = serving.served.member.id
    alone = serving.client.post(f"/teams/oaks/members/{own}/remove", data={"csrf": csrf})
    assert (alone.status_code, "only one member" in alone.text) == (422, True)
    serving.client.cookies.clear()
    assert "with a new account for new@example.org" in serving.client.get(link).text
    words = {"display_name": "New", "password": "correct horse battery"}
    assert serving.client.post(link, data=words).headers["location"] == "/sign-in?after=account"
    csrf = serving.sign_in(serving.served.member)
    shown = serving.client.get("/teams/oaks").text
    assert "Ann, New" in shown
    left = serving.client.post(f"/teams/oaks/members/{own}/remove", data={"csrf": csrf})
    assert left.headers["location"] == "/account?done=left"
    assert serving.client.get("/teams/oaks").status_code == 404
    founded = serving.client.post("/account/teams", data={"csrf": csrf, "name": "Beeches"})
    assert founded.headers["location"] == "/teams/beeches?done=team"
    again = serving.client.post("/account/teams", data={"csrf": csrf, "name": "Beeches"})
    assert (again.status_code, "already" in again.text) == (422, True)


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_pages_say_that_links_are_mailed_where_they_are(serving):
    csrf = serving.sign_in(serving.served.organiser)
    forms = [(ADDRESS, {"role": "member"}), ("/teams/oaks/invitations", {})]

    def said(number):
        sent = [
            serving.client.post(path, data={"csrf": csrf, "email": f"n{number}@example.org", **more}).text
            for path, more in forms
        ]
        return ["It is also mailed to them" in text for text in sent], ["Send it to them" in text for text in sent]

    assert said(1) == ([False, False], [True, True])
    settings = replace(serving.site.settings, mail="smtp://127.0.0.1:9", mail_from="a@example.org")
    serving.client.app.state.site = replace(serving.site, settings=settings)
    assert said(2) == ([True, True], [False, False])
    with serving.site.database.read() as connection:
        assert len(load_jobs(connection, kinds=(MAIL,))) == 2


@both_databases
def test_a_persons_data_are_deleted_after_a_tick(serving):
    csrf = serving.sign_in(serving.served.organiser)
    member, organiser = serving.served.member, serving.served.organiser
    address = f"{ADDRESS}/{member.id}/delete"
    unsure = serving.client.post(address, data={"csrf": csrf})
    assert (unsure.status_code, "Tick the box" in unsure.text, member.email in unsure.text) == (422, True, True)
    assert serving.client.post(address, data={"sure": "yes"}).status_code == 403
    answer = serving.client.post(address, data={"csrf": csrf, "sure": "yes"})
    assert answer.headers["location"].endswith("done=deleted-person")
    page = serving.client.get(ADDRESS).text
    checked(page)
    assert member.email not in page
    assert f"Deleted person {member.id}" in page
    assert address not in page
    last = serving.client.post(f"{ADDRESS}/{organiser.id}/delete", data={"csrf": csrf, "sure": "yes"})
    assert (last.status_code, "last organiser" in last.text) == (422, True)
    assert serving.run(1).status_code == 401, "the token is gone"
