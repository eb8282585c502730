"""Runs whose job has failed are rejected, and those behind them get their verdicts."""

from __future__ import annotations

from datetime import timedelta

from runoff.server.cases.runs.jobs import FAULT, save_hopeless_runs
from runoff.server.store.jobs import fail_job, take_job
from runoff.server.store.scores import load_verdicts
from runoff.server.store.submissions import load_runs
from tests.server.cases.served import NOW, Served
from tests.server.store.backends import both_databases


@both_databases
def test_a_failed_job_holds_nobody_up(database, tmp_path):
    served = Served.made_in(database, tmp_path)
    job = database.write(lambda c: take_job(c, ["score"], worker="w", lease=timedelta(minutes=1), now=NOW))
    database.write(lambda c: fail_job(c, job, "x", now=NOW, retry=False))
    assert served.work() == ["scored"] * 2
    with database.read() as connection:
        assert load_verdicts(connection, served.board.id) == ()
    assert database.write(lambda c: save_hopeless_runs(c, now=NOW)) == 1
    assert database.write(lambda c: save_hopeless_runs(c, now=NOW)) == 0
    with database.read() as connection:
        first, *others = load_runs(connection, served.board.id)
        assert (first.state, list(first.problems)) == ("rejected", [FAULT])
        assert len(load_verdicts(connection, served.board.id)) == 2
    assert [run.state for run in others] == ["scored"] * 2
