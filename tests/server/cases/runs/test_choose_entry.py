"""A team chooses which run stands for it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from runoff.errors import ConflictError, NotAllowedError, NotFoundError
from runoff.server.cases.accounts.permissions import ANONYMOUS, Actor
from runoff.server.cases.runs.entries import can_choose, choose_entry
from runoff.server.cases.views.stored_board import load_visible_runs
from tests.server.cases.served import NOW, Served
from tests.server.cases.views.test_stored_board import submit
from tests.server.store.backends import both_databases


@pytest.fixture
def served(database, tmp_path):
    return Served.made_in(database, tmp_path)


def entries(served, viewer=ANONYMOUS, now=NOW):
    with served.database.read() as connection:
        seen = load_visible_runs(connection, served.board, viewer=viewer, now=now)
    return {one.name for one in seen if one.is_entry}, {one.name for one in seen if one.is_chosen}


def choose(served, run, *, actor=None, board=None, now=NOW):
    return choose_entry(served.database, board or served.board, actor or served.actor, run.id, now=now)


@both_databases
def test_the_newest_stands_for_a_team_until_it_chooses(served):
    first, second = submit(served, 11, name="old"), submit(served, 12, name="new")
    served.work()
    standing, chosen = entries(served)
    assert ("old" in standing, "new" in standing, chosen) == (False, True, set())
    choose(served, first)
    standing, chosen = entries(served)
    assert ("old" in standing, "new" in standing, chosen) == (True, False, {"old"})
    choose(served, second)
    assert entries(served)[1] == {"new"}
    # Every other team has one as well, and baselines stay.
    with served.database.read() as connection:
        seen = load_visible_runs(connection, served.board, now=NOW)
    assert {one.team for one in seen} == {one.team for one in seen if one.is_entry}


def test_a_choice_that_others_do_not_see_yet_does_not_empty_the_place(served):
    submit(served, 11, name="old")
    secret = submit(served, 12, name="secret", embargo_until=NOW.date() + timedelta(days=3))
    served.work()
    choose(served, secret)
    assert "old" in entries(served)[0]
    assert entries(served)[1] == set()
    assert entries(served, viewer=served.actor)[1] == {"secret"}
    assert entries(served, now=NOW + timedelta(days=3))[1] == {"secret"}


def test_anonymous_runs_stand_by_themselves_for_others(served):
    ghost = submit(served, 11, name="ghost", anonymous=True)
    submit(served, 12, name="named")
    served.work()
    choose(served, ghost)
    # To leave out `named` would tell whose ghost it is, and so would the mark.
    assert {"ghost", "named"} <= entries(served)[0]
    assert entries(served)[1] == set()
    own = entries(served, viewer=served.actor)
    assert ("ghost" in own[0], "named" in own[0], own[1]) == (True, False, {"ghost"})


def test_who_may_choose_what_and_when(served):
    run = submit(served, 11, name="a")
    with pytest.raises(ConflictError, match="a scored run can"):
        choose(served, run)
    served.work()
    for actor in (ANONYMOUS, Actor(id=99, role="member", teams=frozenset({77})), Actor(id=1, role="organiser")):
        with pytest.raises(NotAllowedError):
            choose(served, run, actor=actor)
    with pytest.raises(NotFoundError):
        choose(served, run, board=replace(served.board, id=served.board.id + 1))
    closed = replace(served.board, closes_at=NOW)
    with pytest.raises(ConflictError, match="while the board is open"):
        choose(served, run, board=closed)
    assert choose(served, run, board=closed, now=NOW - timedelta(seconds=1)) == choose(served, run)
    with served.database.read() as connection:
        baselines = [one.run for one in load_visible_runs(connection, served.board, now=NOW) if one.run.baseline]
    assert not any(can_choose(served.board, one, NOW) for one in baselines)
