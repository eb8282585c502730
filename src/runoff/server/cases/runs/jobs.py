"""Jobs beside scoring: near-duplicates, runs whose scoring failed for good, and another try."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

import numpy as np

from runoff.boards.near_duplicates import NearDuplicate, NearDuplicatesResult, near_duplicates
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.runs.record_verdicts import save_due_verdicts
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.cases.uploads.run import read_top
from runoff.server.store.boards import StoredBoard, load_board, load_boards
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore
from runoff.server.store.jobs import Job, finish_job, load_jobs, save_job, save_job_again
from runoff.server.store.submissions import (
    SCORE,
    load_run,
    load_runs,
    save_run_again,
    save_run_mail,
    save_run_state,
)
from runoff.verbs.audit import OVERLAP_DEPTH, AuditOptions

if TYPE_CHECKING:
    from sqlalchemy import Connection

NEAR_DUPLICATES: Final = "near duplicates"
MOST_PAIRS: Final = 1000


@dataclass(frozen=True, kw_only=True, eq=False)
class FoundDuplicates:
    """What the last job found: pairs under the names of the board, when, and over which runs."""

    result: NearDuplicatesResult
    at: datetime
    runs: frozenset[int]


def queue_near_duplicates(connection: Connection, board: StoredBoard, *, actor: Actor, now: datetime) -> Job:
    """Let the near-duplicates among the scored runs be looked for; the same runs are looked at once."""
    require(actor, "manage board")
    numbers = [run.id for run in load_runs(connection, board.id, state="scored")]
    key = f"{NEAR_DUPLICATES}:{board.id}:{len(numbers)}:{max(numbers, default=0)}"
    return save_job(connection, NEAR_DUPLICATES, key, {"board_id": board.id}, now=now)


def find_near_duplicates(
    database: Database,
    files: FileStore,
    job: Job,
    *,
    now: Callable[[], datetime],
    reader: LimitedReader = USUAL_READER,
) -> int:
    """Do the job: read the top of every run, keep the pairs with it, and return how many there are."""
    with database.read() as connection:
        board = load_board(connection, int(job.payload["board_id"]))
        runs = load_runs(connection, board.id, state="scored")
    tops = [
        read_top(
            files.path(run.content_hash), OVERLAP_DEPTH, name=str(run.id), called=str(run.id), reader=reader,
        )
        for run in runs
    ]  # fmt: skip
    duplicates = near_duplicates(tops, depth=OVERLAP_DEPTH, threshold=AuditOptions().overlap).pairs if tops else ()
    pairs = [[int(pair.first), int(pair.second), pair.overlap] for pair in duplicates[:MOST_PAIRS]]
    result = {"runs": [run.id for run in runs], "pairs": pairs}
    database.write(lambda connection: finish_job(connection, job, result=result, now=now()))
    return len(duplicates)


def load_found_duplicates(
    connection: Connection, board: StoredBoard, names: Mapping[int, str]
) -> FoundDuplicates | None:
    """What the last finished job found among runs of these names; None if there was none."""
    for job in load_jobs(connection, kinds=(NEAR_DUPLICATES,), states=("done",)):
        if job.payload["board_id"] == board.id and job.finished_at is not None:
            runs = [number for number in job.result["runs"] if number in names]
            pairs = tuple(
                NearDuplicate(first=names[first], second=names[second], overlap=overlap)
                for first, second, overlap in job.result["pairs"]
                if first in names and second in names
            )
            result = NearDuplicatesResult(
                runs=tuple(names[number] for number in runs), depth=OVERLAP_DEPTH, threshold=AuditOptions().overlap,
                overlaps=np.zeros((0, 0)), pairs=pairs,
            )  # fmt: skip
            return FoundDuplicates(result=result, at=job.finished_at, runs=frozenset(runs))
    return None


FAULT: Final = (
    "the server could not score this run; as far as we know, nothing is wrong with the file; tell an organiser"
)


def save_hopeless_runs(connection: Connection, *, now: datetime, mails: bool = False) -> int:
    """Reject every run that waits for a job that has failed; return how many.

    mails  whether the people who submitted them get a mail
    """
    count = 0
    failed = {int(job.payload["run_id"]): job for job in load_jobs(connection, kinds=(SCORE,), states=("failed",))}
    for board in load_boards(connection) if failed else ():
        runs = load_runs(connection, board.id)
        hopeless = [run.id for run in runs if run.id in failed and run.state in ("queued", "scoring")]
        if hopeless:
            load_board(connection, board.id, lock=True)
            for run_id in hopeless:
                rejected = save_run_state(connection, run_id, "rejected", problems=[FAULT], now=now)
                if mails:
                    save_run_mail(connection, rejected, failed[run_id], now=now)
            save_due_verdicts(connection, board, now=now)
            count += len(hopeless)
    return count


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
