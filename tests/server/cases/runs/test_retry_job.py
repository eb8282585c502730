"""A job that failed for good is tried again, and its run with it."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from runoff.errors import ConflictError, NotAllowedError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.runs.jobs import retry_job, save_hopeless_runs
from runoff.server.store.jobs import load_jobs
from runoff.server.store.models.boards import JOB
from runoff.server.store.submissions import load_runs
from tests.server.cases.served import NOW
from tests.server.store.backends import both_databases


@both_databases
def test_the_run_is_scored_after_all(served):
    olga = Actor(id=served.organiser.id, role="organiser")

    def fail(connection):
        row = {"state": "failed", "attempts": 5, "error": "OSError in a.py:1", "finished_at": NOW}
        connection.execute(update(JOB).values(**row))
        assert save_hopeless_runs(connection, now=NOW) == 3

    served.database.write(fail)
    with served.database.read() as connection:
        jobs = load_jobs(connection, states=("failed",))
    with pytest.raises(NotAllowedError):
        retry_job(served.database, jobs[0].id, actor=served.actor, now=NOW)
    for job in jobs:
        assert retry_job(served.database, job.id, actor=olga, now=NOW).state == "queued"
    with pytest.raises(ConflictError, match="has not failed"):
        retry_job(served.database, jobs[0].id, actor=olga, now=NOW)
    assert served.work() == ["scored"] * 3
    with served.database.read() as connection:
        runs = load_runs(connection, served.board.id)
    assert {run.state for run in runs} == {"scored"}
    assert [run.counts for run in runs] == [not run.baseline for run in runs]
