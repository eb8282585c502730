"""Verdicts against the record of the day: in the order of submission, whatever order workers finish in."""

from __future__ import annotations

from datetime import timedelta

import pytest

from runoff.server.cases.boards.make import make_board
from runoff.server.cases.runs.record_verdicts import FIRST, NOT_COMPARED
from runoff.server.cases.runs.score import JOB_KINDS, score_submission
from runoff.server.store.jobs import take_job
from runoff.server.store.scores import load_verdicts
from runoff.server.store.submissions import load_runs
from runoff.verbs.board import board
from tests.server.cases.reading_here import HERE
from tests.server.cases.served import NOW, Served
from tests.server.store.backends import both_databases


def verdicts_of(served):
    with served.database.read() as connection:
        names = {run.id: run.name for run in load_runs(connection, served.board.id)}
        return {
            names[one.run_id]: (names.get(one.champion_id or 0), one.strict, one.do_no_harm, one.sentence)
            for one in load_verdicts(connection, served.board.id)
        }


@both_databases
def test_the_champion_is_the_record_or_the_best_baseline(database, tmp_path):
    served = Served.made_in(database, tmp_path, runs=4)
    served.work()
    found = verdicts_of(served)
    assert set(found) == {"run 1", "run 2", "run 3"}
    assert found["run 1"][0] == "run 0"
    records = board(served.toml, trials=10).records
    assert records is not None
    holders = [record.name for record in records.records]
    assert found["run 3"][0] in {*holders, "run 0"}
    for record in records.records[1:]:
        assert found[record.name][0] == record.displaced


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_the_order_of_the_workers_changes_nothing(database, tmp_path):
    served = Served.made_in(database, tmp_path, runs=3)
    jobs = [
        database.write(lambda c: take_job(c, JOB_KINDS, worker="w", lease=timedelta(minutes=1), now=NOW))
        for _ in range(3)
    ]
    seen = []
    for job in reversed(jobs):
        score_submission(served.database, served.files, job, now=lambda: NOW, reader=HERE)
        seen.append(sorted(verdicts_of(served)))
    # Nothing is decided before the first run is scored; then everything is.
    assert seen == [[], [], ["run 1", "run 2"]]
    assert verdicts_of(served)["run 1"][0] == "run 0"


def test_the_first_run_has_no_champion(database, tmp_path):
    served = Served.made_in(database, tmp_path, runs=1)
    toml = served.toml.read_text().replace("baseline = true", "baseline = false")
    served.toml.write_text(toml)
    board = make_board(database, served.files, served.toml, slug="other", now=NOW, reader=HERE)
    served.work()
    with database.read() as connection:
        (verdict,) = load_verdicts(connection, board.id)
    assert (verdict.champion_id, verdict.sentence) == (None, FIRST)
    assert (verdict.strict, verdict.do_no_harm, verdict.overall) == (None, None, None)


def test_a_run_that_cannot_be_compared_has_no_verdict_and_says_so(database, tmp_path, monkeypatch):
    monkeypatch.setattr("runoff.server.cases.runs.record_verdicts.load_analysis", lambda *_: None)
    served = Served.made_in(database, tmp_path, runs=2)
    served.work()
    assert verdicts_of(served) == {"run 1": ("run 0", None, None, NOT_COMPARED.format("run 0"))}
