"""Runs whose scoring failed for good: rejected, so that the team has its slot back and nobody waits."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from runoff.server.cases.runs.record_verdicts import save_due_verdicts
from runoff.server.store.boards import load_boards, lock_board
from runoff.server.store.jobs import Job, load_job_by_key
from runoff.server.store.submissions import SCORE, StoredRun, load_runs, save_run_mail, save_run_state

if TYPE_CHECKING:
    from sqlalchemy import Connection

FAULT: Final = (
    "the server could not score this run; nothing is wrong with the file as far as is known; tell an organiser"
)


def save_hopeless_runs(connection: Connection, *, now: datetime, mails: bool = False) -> int:
    """Reject every run that waits for a job that has failed; return how many.

    mails  whether the people who submitted them get a mail
    """
    count = 0
    for board in load_boards(connection):
        found = [(run, _failed(connection, run)) for run in _waiting(connection, board.id)]
        hopeless = [(run, job) for run, job in found if job is not None]
        if hopeless:
            lock_board(connection, board.id)
            for run, job in hopeless:
                rejected = save_run_state(connection, run.id, "rejected", problems=[FAULT], now=now)
                if mails:
                    save_run_mail(connection, rejected, job, now=now)
            save_due_verdicts(connection, board, now=now)
            count += len(hopeless)
    return count


def _waiting(connection: Connection, board_id: int) -> list[StoredRun]:
    return [
        *load_runs(connection, board_id, state="queued"),
        *load_runs(connection, board_id, state="scoring"),
    ]


def _failed(connection: Connection, run: StoredRun) -> Job | None:
    """The job of a run, if it has failed."""
    job = load_job_by_key(connection, f"{SCORE}:{run.id}")
    return job if job is not None and job.state == "failed" else None
