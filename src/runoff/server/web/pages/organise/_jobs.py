"""Jobs of a board: those that wait, run or have failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from runoff.server.cases.runs.near_duplicate_job import NEAR_DUPLICATES
from runoff.server.cases.runs.record_verdicts import RESCORE
from runoff.server.store.jobs import Job, load_jobs
from runoff.server.store.mails import MAIL
from runoff.server.store.submissions import SCORE
from runoff.server.web.pages.organise._context import JobLine

if TYPE_CHECKING:
    from sqlalchemy import Connection

MOST: Final = 100


def load_board_jobs(connection: Connection, board_id: int, runs: Mapping[int, str]) -> tuple[Job, ...]:
    """The jobs of a board that are not done, the newest first; `runs` are all its runs by number."""
    return tuple(
        job
        for job in load_jobs(connection, states=("queued", "running", "failed"))
        if job.payload.get("board_id") == board_id or job.payload.get("run_id") in runs
    )


def job_lines(jobs: tuple[Job, ...], runs: Mapping[int, str]) -> tuple[JobLine, ...]:
    """The newest of some jobs in words, failed ones first."""
    ordered = sorted(jobs, key=lambda job: (job.state != "failed", -job.id))[:MOST]
    return tuple(
        JobLine(
            number=job.id,
            what=_what(job, runs),
            state=job.state,
            attempts=f"{job.attempts} of {job.most_attempts}",
            since=f"{job.created_at:%Y-%m-%d %H:%M}",
            error=job.error or "",
        )
        for job in ordered
    )


def job_words(jobs: tuple[Job, ...]) -> str:
    """How many jobs there are, in a sentence."""
    if not jobs:
        return "Nothing waits, and nothing has failed."
    counts = Counter(str(job.state) for job in jobs)
    parts = [f"{counts[state]:,} {word}" for state, word in _WORDS.items() if counts[state]]
    return f"{', '.join(parts)}. Failed ones can be tried again when their cause is fixed."


_WORDS: Final = {"queued": "waiting", "running": "running", "failed": "failed"}


def _what(job: Job, runs: Mapping[int, str]) -> str:
    if job.kind == NEAR_DUPLICATES:
        return "Look for near-duplicates"
    name = runs.get(int(job.payload["run_id"]), f"run {job.payload['run_id']}")
    return {SCORE: f"Score {name}", RESCORE: f"Score {name} again", MAIL: f"Mail about {name}"}.get(job.kind, job.kind)
