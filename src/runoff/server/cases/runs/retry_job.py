"""Try a job again that failed for good, and the run that was rejected for it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.runs.reject_failed import FAULT
from runoff.server.store.database import Database
from runoff.server.store.jobs import Job, save_job_again
from runoff.server.store.submissions import SCORE, load_run, save_run_again

if TYPE_CHECKING:
    from sqlalchemy import Connection


def retry_job(database: Database, job_id: int, *, actor: Actor, now: datetime) -> Job:
    """Queue a failed job again; a run that was rejected by the server's own fault waits for it, as on its first day."""
    require(actor, "manage board")

    def work(connection: Connection) -> Job:
        job = save_job_again(connection, job_id, actor=actor.id, now=now)
        if job.kind == SCORE:
            run = load_run(connection, int(job.payload["run_id"]))
            if run.state == "rejected" and list(run.problems) == [FAULT]:
                save_run_again(connection, run.id, actor=actor.id, now=now)
        return job

    return database.write(work)
