"""Two workers with one link: nobody gets another's session, and nobody judges a board on which their team competes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from runoff.errors import NotAllowedError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.enter import consent, enter_campaign, release_worker
from runoff.server.cases.judging.judge import finish_task, offer_task
from runoff.server.store.campaign_links import load_entries, load_workers
from runoff.server.store.people import load_team, save_member, save_person
from runoff.server.store.submissions import load_runs
from tests.server.store.backends import both_databases

HIT = "3TDXMTX3CBU3QS5X4zz92VG3MLV6I3"
"""A number of an assignment as sites draw them: nobody guesses it."""


def another_browser(judged):
    judged.client.cookies.clear()
    return judged


def sessions(judged):
    return judged.campaigned.read(load_entries, judged.campaign.id)


@both_databases
def test_a_worker_id_alone_opens_nobodys_session(judged):
    link = judged.link(site="crowd", most_uses=None)
    assert judged.come_in(link, f"?workerId=A1&assignmentId={HIT}").status_code == 303
    judged.answer(judged.take(), pairs=2)
    for query in ("?workerId=A1", "?workerId=A1&assignmentId=guessed", "?workerId=%20A1&assignmentId=" + "9" * 30):
        refused = another_browser(judged).come_in(link, query)
        assert (refused.status_code, "runoff" in refused.cookies) == (422, False), query
        assert "another browser" in refused.text
        assert judged.client.get("/judge/best").status_code in (303, 401, 404)
    assert len(sessions(judged)) == 1
    # The same assignment of the site is its worker's own, also in another browser.
    assert another_browser(judged).come_in(link, f"?workerId=A1&assignmentId={HIT}").status_code == 303
    assert "2 of 13" in judged.page() or judged.take()["pairs"][1]["answer"]


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_short_numbers_of_assignments_prove_nothing_and_an_organiser_lets_a_worker_in_again(judged):
    link = judged.link(site="crowd", most_uses=None)
    assert judged.come_in(link, "?worker=A1&assignment=1").status_code == 303
    # In the same browser the worker goes on, with the next assignment too.
    assert judged.come_in(link, "?worker=A1&assignment=2").status_code == 303
    assert another_browser(judged).come_in(link, "?worker=A1&assignment=1").status_code == 422
    made = judged.campaigned
    (worker,) = made.read(load_workers, judged.campaign.id).values()
    with pytest.raises(NotAllowedError):
        release_worker(
            made.database, judged.campaign.id, worker.person_id, actor=Actor(id=1, role="assessor"), now=made.now()
        )
    release_worker(made.database, judged.campaign.id, worker.person_id, actor=made.organiser, now=made.now())
    assert judged.come_in(link, "?worker=A1&assignment=3").status_code == 303
    assert {entry.person_id for entry in sessions(judged)} == {worker.person_id}
    assert another_browser(judged).come_in(link, "?worker=A1&assignment=4").status_code == 422, "released once"
    release_worker(made.database, judged.campaign.id, worker.person_id, actor=made.organiser, now=made.now())
    made.wait(days=2)
    assert judged.come_in(link, "?worker=A1&assignment=5").status_code == 422, "for a day"


def competitor(made, role: str = "member"):
    """Somebody whose team has a run on the board."""
    row: dict[str, Any] = {"email": f"{role}@example.org", "display_name": f"Ann, {role}", "role": role}
    person = made.database.write(lambda c: save_person(c, **row, actor=None, now=made.now()))
    team = made.read(load_team, made.read(load_runs, made.board.id)[0].team_id)
    made.database.write(lambda c: save_member(c, team.id, person.id, actor=None, now=made.now()))
    return person


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_who_competes_on_a_board_judges_nothing_of_it(judged):
    made = judged.campaigned
    for role in ("member", "assessor", "organiser"):
        person = competitor(made, role)
        for link in (judged.link(), judged.link(site="crowd", most_uses=None)):
            with pytest.raises(NotAllowedError, match="your team"):
                enter_campaign(
                    made.database,
                    link.removeprefix("/enter/"),
                    worker_id="A1",
                    person=person,
                    session=timedelta(days=1),
                    now=made.now(),
                )
        if role != "member":
            with pytest.raises(NotAllowedError, match="your team"):
                consent(made.database, judged.campaign.id, actor=Actor(id=person.id, role=role), now=made.now())
    link = judged.link(site="crowd", most_uses=None)
    by_mail = judged.come_in(link, "?worker=Member@example.org")
    assert by_mail.status_code == 422, "a worker id that is the address of a competitor"
    assert "team" not in by_mail.text, "who is in a team is nobody's business"
    assert judged.come_in(link, "?worker=other@example.org").status_code == 303


@both_databases
def test_who_joins_a_team_later_gets_no_more_tasks_and_ends_none(judged):
    made = judged.campaigned
    actor = made.assessor(judged.campaign)
    sheet = made.offer(judged.campaign, actor).sheet
    team = made.read(load_runs, made.board.id)[0].team_id
    made.answer(sheet, actor)
    made.database.write(lambda c: save_member(c, team, actor.id, actor=None, now=made.now()))
    with pytest.raises(NotAllowedError, match="your team"):
        finish_task(made.database, sheet.assignment.id, actor=actor, now=made.now())
    with pytest.raises(NotAllowedError, match="your team"):
        offer_task(made.database, judged.campaign.id, actor=replace(actor, teams=frozenset({team})), now=made.now())
