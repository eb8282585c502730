"""The jobs of campaigns: reading runs, planning, looking at extensions, taking in new runs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from runoff.errors import UsageError
from runoff.server.cases.judging.extend import do_look
from runoff.server.cases.judging.extension import Extension
from runoff.server.cases.judging.prepare import read_campaign_runs
from runoff.server.cases.judging.start import plan_campaign
from runoff.server.cases.judging.upkeep import add_run
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.store.campaigns import KIND, LOOK, PLAN, READ, UPKEEP
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore
from runoff.server.store.jobs import Job, finish_job

CAMPAIGN_KINDS = (KIND,)


def do_campaign_job(
    database: Database,
    files: FileStore,
    job: Job,
    *,
    now: Callable[[], datetime],
    max_bytes: int,
    reader: LimitedReader = USUAL_READER,
) -> str:
    """Do a job of a campaign and say what it was; its results and its end are one transaction."""
    campaign_id, step = int(job.payload["campaign_id"]), str(job.payload["step"])
    if step == READ:
        read = read_campaign_runs(database, files, campaign_id, max_bytes=max_bytes, reader=reader)
        database.write(
            lambda connection: finish_job(connection, job, result={"state": "read", "runs": read}, now=now())
        )
    elif step == PLAN:
        more = Extension.of(job.payload["more"]) if "more" in job.payload else None
        plan_campaign(database, files, campaign_id, more=more, now=now, max_bytes=max_bytes, reader=reader, job=job)
    elif step == LOOK:
        do_look(database, files, job, now=now, max_bytes=max_bytes, reader=reader)
    elif step == UPKEEP:
        run_id = int(job.payload["run_id"])
        add_run(database, files, campaign_id, run_id, now=now, max_bytes=max_bytes, reader=reader, job=job)
    else:
        raise UsageError(f"a campaign has no step {step!r}; expected {READ}, {PLAN}, {LOOK} or {UPKEEP}")
    return step
