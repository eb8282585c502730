"""Descriptions of boards."""

from datetime import date
from pathlib import Path

import pytest

from runoff.choices import POLICY_CORRECTIONS, RECORD_RULES
from runoff.errors import UsageError
from runoff.tables import Board, BoardRun
from runoff.tables.settings import SETTINGS


def board():
    runs = (
        BoardRun(name="bm25", path=Path("bm25.run"), baseline=True, scores={"private": 0.2}),
        BoardRun(name="dense", date=date(2021, 2, 10), scores={"public": 0.4, "private": 0.3}),
    )
    return Board(title="Demo", measure="RR@10", queries={"public": Path("q.txt")}, runs=runs)


def test_runs_by_name():
    assert board().names == ("bm25", "dense")
    assert board().run("dense").date == date(2021, 2, 10)
    with pytest.raises(UsageError, match="no run 'x' on this board; expected one of bm25, dense; choose one of these"):
        board().run("x")


def test_published_means():
    assert board().published("private") == {"bm25": 0.2, "dense": 0.3}
    assert board().published("public") == {"dense": 0.4}


def test_options_overrule_a_board():
    graded = Board(title="t", measure="RR@10", depth=10, relevance_level=2, gains=(0.0, 0.5, 1.0))
    assert graded.overruled() == graded
    assert graded.overruled(depth=5).depth == 5
    assert graded.overruled(depth=5).gains == (0.0, 0.5, 1.0)
    assert (graded.overruled(level=1).relevance_level, graded.overruled(level=1).gains) == (1, None)
    assert graded.overruled(gains=[0, 1, 3]).gains == (0, 1, 3)
    both = graded.overruled(level=3, gains=[0, 1, 3])
    assert (both.relevance_level, both.gains) == (3, (0, 1, 3))


def test_nothing_can_be_changed():
    with pytest.raises(TypeError):
        board().queries["private"] = Path("p.txt")
    with pytest.raises(TypeError):
        board().runs[0].scores["public"] = 1.0


def test_a_given_dict_may_be_changed_afterwards():
    scores = {"public": 0.5}
    run = BoardRun(name="a", scores=scores)
    scores["public"] = 0.0
    assert run.scores == {"public": 0.5}


def test_equality_is_by_content():
    assert board() == board()


def test_the_choices_of_a_board_are_those_of_a_policy():
    assert tuple(SETTINGS["correction"].kind.options) == POLICY_CORRECTIONS
    assert tuple(SETTINGS["record_rule"].kind.options) == RECORD_RULES
