"""The release rule: what a team learns of its submissions is what the Ladder says, and nothing else."""

from __future__ import annotations

import pytest

import runoff
from runoff.boards import ladder
from runoff.errors import UsageError
from runoff.reading.sources import as_qrels
from runoff.server.cases.accounts.permissions import ANONYMOUS, Actor
from runoff.server.cases.views.stored_board import load_board_data, load_visible_runs, sees_scores
from runoff.server.store.boards import load_board
from runoff.server.store.submissions import load_runs
from runoff.tables.settings import BoardSettings
from tests.server.cases.boards.test_change import change, olga
from tests.server.cases.runs.test_submit import submit
from tests.server.cases.served import NOW, PUBLIC, Served, run_text
from tests.server.store.backends import both_databases

SKILLS = (0.3, 0.32, 0.28, 0.95, 0.9, 1.0)


@pytest.fixture
def climbed(database, tmp_path):
    """A team that submits again and again: small changes, one large step, small changes."""
    served = Served.made_in(database, tmp_path, runs=2, most=20, variants=20, release="ladder")
    served.work()
    for seed, skill in enumerate(SKILLS, start=20):
        submit(served, seed, content=run_text(seed, skill=skill).encode(), name=f"try {seed}")
        served.work()
    return served


def held(served):
    with served.database.read() as connection:
        return {run.name: run.held for run in load_runs(connection, served.board.id)}


def names(served, viewer):
    with served.database.read() as connection:
        board = load_board(connection, served.board.id)
        return [one.name for one in load_visible_runs(connection, board, viewer=viewer, now=NOW)]


@both_databases
def test_what_is_held_back_is_what_the_ladder_says(climbed, tmp_path):
    found = held(climbed)
    tries = [f"try {seed}" for seed in range(20, 20 + len(SKILLS))]
    files = []
    for seed, skill in enumerate(SKILLS, start=20):
        files.append(tmp_path / f"try {seed}")
        files[-1].write_text(run_text(seed, skill=skill))
    qrels = as_qrels(climbed.toml.parent / "qrels.txt", queries=PUBLIC)
    scores = runoff.evaluate(files, qrels, measures=["RR@10"]).scores[0]
    moved = {rung.run: rung.moved for rung in ladder(scores, tries)}
    assert {name: not is_held for name, is_held in found.items() if name in moved} == moved
    assert 1 < sum(moved.values()) < len(moved), "some pass and some do not, else nothing was looked at"
    assert not found["run 0"], "baselines are outside the rule"
    assert not found["run 1"], "the first run of a team is always shown"


def test_only_organisers_see_scores_that_are_held_back(climbed):
    kept = {name for name, is_held in held(climbed).items() if is_held}
    assert kept
    for viewer in (ANONYMOUS, climbed.actor):
        assert not kept & set(names(climbed, viewer))
    assert kept <= set(names(climbed, olga(climbed)))
    with climbed.database.read() as connection:
        runs = load_runs(connection, climbed.board.id)
        shown = load_board_data(connection, climbed.board, viewer=climbed.actor, now=NOW)
    assert not kept & set(shown.scores.runs)
    assert {run.name for run in runs if not sees_scores(climbed.actor, run)} == kept
    assert all(sees_scores(Actor(id=1, role="organiser"), run) for run in runs)


def test_without_the_rule_everything_is_shown_and_with_it_again_only_new_runs_are_held(climbed):
    change(climbed, release="all")
    assert not any(held(climbed).values())
    change(climbed, release="ladder")
    assert not any(held(climbed).values())
    submit(climbed, 50, content=run_text(50, skill=0.1).encode(), name="late")
    assert held(climbed)["late"], "before it is decided nothing is shown"
    climbed.work()
    assert held(climbed)["late"]


def test_boards_show_everything_unless_they_say_so(database, tmp_path):
    served = Served.made_in(database, tmp_path, runs=3)
    served.work()
    assert not any(held(served).values())
    with pytest.raises(UsageError, match="expected one of all, ladder"):
        BoardSettings(slug="a", title="A", measure="RR", release="none")
