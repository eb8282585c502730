"""A run in words: for its team and for others, held back and shown, with the digits of the board."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import update

from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.runs.entries import GIVEN_UP, HELD, WAITS, load_run_words
from runoff.server.cases.runs.jobs import FAULT
from runoff.server.store.boards import load_board
from runoff.server.store.models.boards import RUN
from runoff.server.store.scores import load_verdicts
from runoff.server.store.submissions import load_run, load_runs
from tests.server.cases.served import NOW
from tests.server.store.backends import both_databases

OLGA = Actor(id=2, role="organiser")


def words_of(served, viewer, *, now=NOW, digits=None, run_changes=None):
    with served.database.read() as connection:
        board = load_board(connection, served.board.id)
        board = board if digits is None else replace(board, digits=digits)
        run = replace(load_runs(connection, board.id)[-1], **(run_changes or {}))
        return load_run_words(connection, board, run, viewer=viewer, now=now)


def test_the_sentence_has_the_digits_of_the_board(served):
    served.work()
    with served.database.read() as connection:
        whole = load_verdicts(connection, served.board.id)[-1].sentence
    found = words_of(served, served.actor, digits=1)
    assert found.decided
    assert found.status == "It has been read and scored."
    assert re.search(r"0\.\d\d", whole)
    assert not re.search(r"0\.\d\d", found.sentence.replace("0.05", ""))
    assert re.sub(r"[\d.+]+", "", found.sentence) == re.sub(r"[\d.+]+", "", whole)


@both_databases
def test_what_is_held_back_is_told_to_organisers_alone(served):
    served.work()
    held = {"held": True}
    found = words_of(served, served.actor, run_changes=held)
    assert (found.sentence, found.verdict, found.decided) == ("", None, True)
    assert found.status.endswith(HELD)
    assert words_of(served, OLGA, run_changes=held).sentence


def test_before_it_is_decided(served):
    found = words_of(served, served.actor, run_changes={"state": "scored", "held": True})
    assert (found.sentence, found.decided) == ("", False)
    assert found.status.endswith(WAITS)


def test_days_are_told_until_they_come(served):
    day = NOW + timedelta(days=2)
    days = {"state": "scored", "embargo_until": day, "anonymous": True, "anonymous_until": day}
    assert (
        "Others see it from 2026-03-17 (UTC). Its team is named from 2026-03-17 (UTC)."
        in words_of(served, served.actor, run_changes=days).status
    )
    assert words_of(served, served.actor, run_changes=days, now=day).status == "It has been read and scored."


def test_nobody_is_asked_to_mend_a_file_that_the_server_could_not_score(served):
    served.work()
    own = words_of(served, served.actor, run_changes={"state": "rejected", "problems": [FAULT]})
    theirs = words_of(served, served.actor, run_changes={"state": "rejected", "problems": ["a.run:1: x"]})
    assert (own.status, "Fix the file" in theirs.status) == (GIVEN_UP, True)


def test_a_verdict_against_a_run_under_embargo_is_for_those_who_see_that_run(served):
    served.work()
    with served.database.read() as connection:
        champion = load_verdicts(connection, served.board.id)[-1].champion_id
        name = load_run(connection, int(champion or 0)).name
    assert name in words_of(served, served.actor).sentence
    veil = update(RUN).where(RUN.c.id == champion).values(embargo_until=NOW + timedelta(days=2))
    served.database.write(lambda connection: connection.execute(veil))
    hidden = words_of(served, served.actor)
    assert (hidden.verdict, hidden.sentence, hidden.decided) == (None, "", True)
    assert name in words_of(served, OLGA).sentence
