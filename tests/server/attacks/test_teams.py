"""Attacks with teams and names: many teams, many invitations, names that look like others, removing a founder."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from runoff.server.store.people import load_team_by_slug, load_teams, save_member, save_person
from tests.server.attacks.test_quota import add_member, send
from tests.server.cases.served import NOW
from tests.server.store.backends import both_databases
from tests.server.web.checks import checked

PEOPLE = "/organise/people"


def sign_in(serving, person):
    serving.client.cookies.clear()
    return serving.sign_in(person)


def found(serving, csrf, name):
    return serving.client.post("/account/teams", data={"csrf": csrf, "name": name})


def let_teams_be_free(serving):
    settings = replace(serving.site.settings, new_teams="free")
    serving.client.app.state.site = replace(serving.site, settings=settings)


def team_named(serving, slug):
    with serving.site.database.read() as connection:
        return load_team_by_slug(connection, slug)


@both_databases
def test_a_new_team_waits_for_an_organiser_and_nobody_has_two_that_wait(serving):
    csrf = sign_in(serving, serving.served.member)
    answers = [found(serving, csrf, f"Grove {letter}") for letter in "abcdefghjkmnpqrstuvw"]
    assert [answer.status_code for answer in answers] == [303] + [422] * 19
    assert "Grove a already waits for an organiser" in answers[1].text
    team = team_named(serving, "grove-a")
    status, text = send(serving, team)
    assert (status, "Grove a waits for an organiser to approve it" in text) == (409, True)
    invited = serving.client.post("/teams/grove-a/invitations", data={"csrf": csrf, "email": "bob@example.org"})
    assert invited.status_code == 409
    assert "waits for an organiser" in " ".join(checked(serving.client.get("/teams/grove-a").text).words)
    approve = f"/organise/teams/{team.id}/approve"
    assert serving.client.post(approve, data={"csrf": csrf}).status_code == 403
    csrf = sign_in(serving, serving.served.organiser)
    assert approve in serving.client.get(PEOPLE).text
    assert serving.client.post(approve, data={"csrf": csrf}).headers["location"].endswith("done=approved")
    assert approve not in serving.client.get(PEOPLE).text
    assert serving.client.post(approve, data={"csrf": csrf}).status_code == 404
    assert send(serving, team)[0] == 202


def test_an_organiser_refuses_a_team_and_its_name_is_free_again(serving):
    csrf = sign_in(serving, serving.served.member)
    assert found(serving, csrf, "Grove").status_code == 303
    number = team_named(serving, "grove").id
    csrf = sign_in(serving, serving.served.organiser)
    refuse = f"/organise/teams/{number}/refuse"
    assert serving.client.post(refuse, data={"csrf": csrf}).headers["location"].endswith("done=refused")
    assert (
        serving.client.post(f"/organise/teams/{serving.served.team.id}/refuse", data={"csrf": csrf}).status_code == 404
    )
    csrf = sign_in(serving, serving.served.member)
    assert found(serving, csrf, "Grove").status_code == 303


def test_where_teams_are_free_nobody_is_in_more_than_ten(serving):
    let_teams_be_free(serving)
    csrf = sign_in(serving, serving.served.member)
    answers = [found(serving, csrf, f"Grove {letter}") for letter in "abcdefghjkmnpqrstuvw"]
    assert [answer.status_code for answer in answers] == [303] * 9 + [422] * 11
    assert "you are in 10 teams" in answers[-1].text
    assert send(serving, team_named(serving, "grove-a"))[0] == 202


@pytest.mark.parametrize(
    "name",
    ["Оаks", "OAKS", "O a k s", "Oaks.", "O\u034faks", "０aks", "𝐎aks", "Oáks", "0aks", "Oaks\u3164", "Οaks", "oакѕ"],
)
def test_a_team_cannot_look_like_another(serving, name):
    let_teams_be_free(serving)
    csrf = sign_in(serving, serving.served.member)
    answer = found(serving, csrf, name)
    assert answer.status_code == 422
    assert "looks like" in answer.text
    with serving.site.database.read() as connection:
        assert [team.name for team in load_teams(connection)] == ["Oaks", "Team 0", "Team 1"]


@pytest.mark.parametrize("name", ["Ash", "Oaks 2", "Дубы", "樫", "Oaxs", "बलूत"])
def test_other_names_are_free(serving, name):
    let_teams_be_free(serving)
    csrf = sign_in(serving, serving.served.member)
    assert found(serving, csrf, name).status_code == 303


@both_databases
def test_a_person_cannot_look_like_another(serving):
    csrf = sign_in(serving, serving.served.member)
    made = serving.client.post("/teams/oaks/invitations", data={"csrf": csrf, "email": "new@example.org"})
    (link,) = re.findall(r"http://testserver(/links/[\w-]+)", made.text)
    serving.client.cookies.clear()
    for name in ("Ann", "аnn", "A n n", "Оlga"):
        answer = serving.client.post(link, data={"display_name": name, "password": "correct horse battery"})
        assert (name, answer.status_code, "looks like" in answer.text) == (name, 422, True)
    answer = serving.client.post(link, data={"display_name": "Ann Lee", "password": "correct horse battery"})
    assert answer.status_code == 303


def test_a_team_invites_so_many_people_and_organisers_more(serving):
    serving.client.app.state.site = replace(serving.site, settings=replace(serving.site.settings, team_invitations=2))
    csrf = sign_in(serving, serving.served.member)

    def invite(number):
        return serving.client.post("/teams/oaks/invitations", data={"csrf": csrf, "email": f"n{number}@example.org"})

    assert [invite(number).status_code for number in range(4)] == [200, 200, 429, 429]
    page = serving.client.get("/teams/oaks").text
    assert "2 of 2 invitations" in page
    (number, _) = re.findall(r"/teams/oaks/invitations/(\d+)/withdraw", page)
    assert serving.client.post(f"/teams/oaks/invitations/{number}/withdraw", data={"csrf": csrf}).status_code == 303
    assert [invite(number).status_code for number in (5, 6)] == [200, 429]
    csrf = sign_in(serving, serving.served.organiser)
    assert invite(7).status_code == 200


def test_only_whoever_is_longest_in_a_team_removes_others(serving):
    bob, cleo = add_member(serving, "Bob"), add_member(serving, "Cleo")
    number, ann = serving.served.team.id, serving.served.member
    for person in (bob, cleo):
        serving.site.database.write(lambda c, person=person: save_member(c, number, person.id, actor=None, now=NOW))

    def remove(person, csrf):
        return serving.client.post(f"/teams/oaks/members/{person.id}/remove", data={"csrf": csrf}).status_code

    csrf = sign_in(serving, bob)
    assert "/remove" in serving.client.get("/teams/oaks").text, "they can leave"
    assert f"/members/{ann.id}/remove" not in serving.client.get("/teams/oaks").text
    assert [remove(person, csrf) for person in (ann, cleo)] == [403, 403]
    csrf = sign_in(serving, ann)
    assert remove(cleo, csrf) == 303
    assert remove(ann, csrf) == 303
    csrf = sign_in(serving, serving.served.organiser)
    assert remove(bob, csrf) == 422, "the last one stays"


def test_organisers_see_who_is_in_several_teams(serving):
    sign_in(serving, serving.served.organiser)
    assert "Nobody is in more than one team" in serving.client.get(PEOPLE).text
    serving.site.database.write(
        lambda c: save_member(c, team_named(serving, "team-0").id, serving.served.member.id, actor=None, now=NOW)
    )
    page = serving.client.get(PEOPLE).text
    several = page[page.index('id="several-teams"') :]
    assert re.search(r"Ann</th>.*Team 0.*Oaks|Ann</th>.*Oaks.*Team 0", several, re.DOTALL)


def test_people_without_an_account_may_have_any_name(serving):
    def add(connection):
        save_person(
            connection,
            email="x@example.org",
            display_name="Ann",
            role="assessor",
            distinct_name=False,
            actor=None,
            now=NOW,
        )

    serving.site.database.write(add)
