"""Attacks on the quota: one person with many teams, who leaves and comes back, or sends from all of them at once."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from runoff.server.store.people import save_departure, save_member, save_person, save_team
from runoff.server.store.submissions import load_runs
from tests.server.cases.served import NOW, run_text
from tests.server.store.backends import both_databases
from tests.server.web.serving import API, Serving


def add_team(serving, name, *people):
    """A team of these people, past the door where teams are made."""

    def work(connection):
        team = save_team(connection, slug=name.lower(), name=name, founder=people[0].id, now=NOW)
        for person in people[1:]:
            save_member(connection, team.id, person.id, actor=None, now=NOW)
        return team

    return serving.site.database.write(work)


def add_member(serving, name):
    return serving.site.database.write(
        lambda connection: save_person(
            connection, email=f"{name.lower()}@example.org", display_name=name, role="member", actor=None, now=NOW
        )
    )


def send(serving, team, headers=None, *, seed=None, skill=0.5):
    """Submit a new run for a team, and return the status and the text of the answer."""
    number = next(serving.numbers) if seed is None else seed
    answer = serving.client.post(
        f"{API}/boards/trees/runs",
        files={"file": ("a.run", run_text(number, skill=skill))},
        data={"metadata": json.dumps({"name": f"run {number}", "team": team.name})},
        headers=serving.bearer if headers is None else headers,
    )
    return answer.status_code, answer.text


def sent_runs(serving):
    with serving.site.database.read() as connection:
        runs = load_runs(connection, serving.served.board.id)
    return [run for run in runs if run.submitted_at == NOW]


@both_databases
def test_20_teams_of_one_person_have_one_quota(serving):
    teams = [add_team(serving, f"Grove{number}", serving.served.member) for number in range(20)]
    answers = [send(serving, team) for team in teams for _ in range(2)]
    most = serving.served.board.most
    assert sorted(status for status, _ in answers) == [202] * most + [429] * (40 - most)
    assert len(sent_runs(serving)) == most
    status, text = send(serving, serving.served.team)
    assert status == 429
    assert "Ann has used 3 of the 3 submissions" in text
    assert "in all their teams together" in text


@both_databases
def test_nobody_gets_more_by_sending_from_all_teams_at_once(serving):
    teams = [add_team(serving, f"Grove{number}", serving.served.member) for number in range(6)]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda team: [send(serving, team) for _ in range(2)], teams))
    statuses = sorted(status for pair in answers for status, _ in pair)
    assert statuses == [202] * 3 + [429] * 9


def test_what_a_team_sent_counts_for_each_of_its_people(serving):
    bob = add_member(serving, "Bob")
    both = add_team(serving, "Both", serving.served.member, bob)
    own = add_team(serving, "Alone", bob)
    headers = serving.token_of(bob, "read", "submit")
    assert [send(serving, both)[0] for _ in range(3)] == [202, 202, 202]
    status, text = send(serving, own, headers)
    assert (status, "Bob has used 3 of the 3" in text) == (429, True)


def test_leaving_a_team_gives_nothing_back(serving):
    team, member = serving.served.team, serving.served.member
    bob = add_member(serving, "Bob")
    serving.site.database.write(lambda c: save_member(c, team.id, bob.id, actor=None, now=NOW))
    assert [send(serving, team)[0] for _ in range(3)] == [202, 202, 202]
    serving.site.database.write(lambda c: save_departure(c, team.id, member.id, actor=None, now=NOW))
    assert send(serving, add_team(serving, "Fresh", member))[0] == 429


def test_a_newcomer_does_not_bring_a_team_more(serving):
    team = serving.served.team
    assert [send(serving, team)[0] for _ in range(3)] == [202, 202, 202]
    bob = add_member(serving, "Bob")
    serving.site.database.write(lambda c: save_member(c, team.id, bob.id, actor=None, now=NOW))
    status, text = send(serving, team, serving.token_of(bob, "read", "submit"))
    assert (status, "the team has used 3 of the 3" in text) == (429, True)


def test_people_without_a_team_in_common_do_not_share(serving):
    bob = add_member(serving, "Bob")
    other = add_team(serving, "Others", bob)
    assert [send(serving, serving.served.team)[0] for _ in range(4)] == [202, 202, 202, 429]
    assert [send(serving, other, serving.token_of(bob, "read", "submit"))[0] for _ in range(4)] == [202, 202, 202, 429]


def test_the_quota_is_shown_as_it_is_checked(serving):
    other = add_team(serving, "Others", serving.served.member)
    assert [send(serving, other)[0] for _ in range(2)] == [202, 202]
    address = f"{API}/boards/trees/quota"
    shown = serving.client.get(address, params={"team": "Oaks"}, headers=serving.bearer).json()
    assert (shown["used"], shown["left"], shown["member"]) == (2, 1, "Ann")
    serving.sign_in(serving.served.member)
    page = serving.client.get("/teams/oaks").text
    assert "2 of 3 submissions used" in page
    assert "Ann has used these in all their teams together" in page
    assert "Others" not in page.split("<main", 1)[1]


@pytest.fixture
def laddered(database, tmp_path):
    """A server whose board shows only runs that beat the best of their people."""
    with Serving.made_in(database, tmp_path, release="ladder", most=10) as made:
        yield made


def test_a_second_team_does_not_get_round_the_ladder(laddered):
    other = add_team(laddered, "Others", laddered.served.member)
    assert send(laddered, laddered.served.team, seed=1, skill=0.9)[0] == 202
    assert send(laddered, other, seed=2, skill=0.2)[0] == 202
    laddered.work()
    assert [run.held for run in sent_runs(laddered)] == [False, True]
