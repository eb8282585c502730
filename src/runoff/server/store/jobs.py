"""Background work: one table, leases that end, and a fence that lets nothing be finished twice.

A worker takes a job for a while (`take_job`), renews the lease as it works, and finishes it in the same transaction as
the work's own results. If the worker is killed, the lease ends and another takes the job over; the fence, a number that
grows with each lease, then shuts out the first one, should it still live. So a job can be begun more than once and
leaves its results exactly once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, and_, func, or_, select, update

from runoff.errors import ConflictError, LeaseLostError, UsageError
from runoff.server.store._rows import add, columns, maybe, note, one, values
from runoff.server.store.models.boards import JOB, JobState

MOST_ATTEMPTS: Final = 5
FIRST_DELAY: Final = timedelta(seconds=5)
LONGEST_DELAY: Final = timedelta(minutes=30)
_FREE: Final = {"worker": None, "lease_until": None}


@dataclass(frozen=True, kw_only=True)
class Job:
    """A piece of work."""

    id: int
    kind: str
    job_key: str
    payload: Mapping[str, Any]
    state: JobState
    attempts: int
    most_attempts: int
    fence: int
    worker: str | None
    lease_until: datetime | None
    run_after: datetime
    created_at: datetime
    finished_at: datetime | None
    result: Any
    error: str | None


def save_job(
    connection: Connection,
    kind: str,
    job_key: str,
    payload: Mapping[str, Any],
    *,
    now: datetime,
    most_attempts: int = MOST_ATTEMPTS,
) -> Job:
    """Put work into the queue; a job of the same key that is there already, in whatever state, is returned instead."""
    if most_attempts < 1:
        raise UsageError(f"most_attempts={most_attempts} cannot be used; expected 1 or more")
    job = maybe(connection, Job, JOB, JOB.c.job_key == job_key)
    if job is not None:
        return job
    row = {"kind": kind, "job_key": job_key, "payload": dict(payload), "state": "queued", "attempts": 0, "fence": 0}
    times = {"most_attempts": most_attempts, "run_after": now, "created_at": now}
    # Somebody else may put it there at the same moment; then that one is returned.
    with suppress(ConflictError):
        add(connection, JOB, f"job {job_key!r} is in the queue", **row, **times)
    return one(connection, Job, JOB, JOB.c.job_key == job_key, what=f"job {job_key!r}")


def take_job(
    connection: Connection, kinds: Sequence[str], *, worker: str, lease: timedelta, now: datetime
) -> Job | None:
    """Take the job that has waited longest, of one of these kinds, for as long as `lease`; None if there is none.

    Jobs whose worker was lost are taken over. One that was begun as often as it may be fails.
    """
    lost = and_(JOB.c.state == "running", JOB.c.lease_until <= now)
    _fail_the_lost(connection, and_(lost, JOB.c.attempts >= JOB.c.most_attempts), now)
    waiting = and_(JOB.c.state == "queued", JOB.c.run_after <= now)
    # On PostgreSQL others pass over a row that is being taken; on SQLite a transaction that writes is alone.
    choice = (
        select(JOB.c.id)
        .where(JOB.c.kind.in_(kinds), or_(waiting, and_(lost, JOB.c.attempts < JOB.c.most_attempts)))
        .order_by(JOB.c.run_after, JOB.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    number = connection.execute(choice).scalar_one_or_none()
    if number is None:
        return None
    taken = {"state": "running", "attempts": JOB.c.attempts + 1, "fence": JOB.c.fence + 1}
    statement = update(JOB).where(JOB.c.id == number).values(worker=worker, lease_until=now + lease, **taken)
    return Job(**connection.execute(statement.returning(*columns(Job, JOB))).mappings().one())


def renew_lease(connection: Connection, job: Job, *, lease: timedelta, now: datetime) -> None:
    """Keep a job for longer; raise `LeaseLostError` if another worker has it, and then stop working on it."""
    _change(connection, job, lease_until=now + lease)


def finish_job(connection: Connection, job: Job, *, result: Any = None, now: datetime) -> None:
    """Finish a job, in the transaction of its results: if the lease is lost this raises, and they are not kept."""
    _change(connection, job, state="done", finished_at=now, result=result, error=None, **_FREE)
    note(connection, "finish", "job", job.id, actor=None, now=now, kind=job.kind, fence=job.fence)


def fail_job(connection: Connection, job: Job, error: str, *, now: datetime, retry: bool = True) -> JobState:
    """Give a job back after an error; it waits longer each time, and fails at its last attempt or without `retry`."""
    if retry and job.attempts < job.most_attempts:
        delay = min(FIRST_DELAY * 2 ** (job.attempts - 1), LONGEST_DELAY)
        _change(connection, job, state="queued", run_after=now + delay, error=error, **_FREE)
        return "queued"
    _change(connection, job, state="failed", finished_at=now, error=error, **_FREE)
    note(connection, "fail", "job", job.id, actor=None, now=now, kind=job.kind, error=error)
    return "failed"


def release_job(connection: Connection, job: Job, *, now: datetime) -> None:
    """Give a job back unfinished because the worker stops; it does not count as an attempt."""
    _change(connection, job, state="queued", run_after=now, attempts=job.attempts - 1, **_FREE)


def load_job(connection: Connection, job_id: int) -> Job:
    """The job of a number."""
    return one(connection, Job, JOB, JOB.c.id == job_id, what=f"job {job_id}")


def load_job_by_key(connection: Connection, job_key: str) -> Job | None:
    """The job of a key, or None."""
    return maybe(connection, Job, JOB, JOB.c.job_key == job_key)


def load_jobs(
    connection: Connection,
    *,
    kinds: Sequence[str] = (),
    states: Sequence[JobState] = (),
    begins: str = "",
    most: int | None = None,
) -> tuple[Job, ...]:
    """Jobs of these kinds and states, or of all, the newest first; `begins` is how their keys begin."""
    query = select(*columns(Job, JOB)).order_by(JOB.c.id.desc()).limit(most)
    query = query.where(JOB.c.kind.in_(kinds)) if kinds else query
    query = query.where(JOB.c.state.in_(states)) if states else query
    query = query.where(JOB.c.job_key.startswith(begins, autoescape=True)) if begins else query
    return values(connection.execute(query), Job)


def save_job_again(connection: Connection, job_id: int, *, actor: int | None, now: datetime) -> Job:
    """Put a job that failed for good into the queue again, with all its attempts."""
    again = {"state": "queued", "attempts": 0, "run_after": now, "finished_at": None, **_FREE}
    failed = (JOB.c.id == job_id) & (JOB.c.state == "failed")
    if connection.execute(update(JOB).where(failed).values(**again)).rowcount != 1:
        raise ConflictError(f"job {job_id} has not failed, or is already being tried again; load the page again")
    note(connection, "retry", "job", job_id, actor=actor, now=now)
    return load_job(connection, job_id)


def load_job_counts(connection: Connection) -> dict[tuple[str, str], int]:
    """How many jobs there are of each kind and state."""
    query = select(JOB.c.kind, JOB.c.state, func.count()).group_by(JOB.c.kind, JOB.c.state)
    return {(kind, state): count for kind, state, count in connection.execute(query)}


def _change(connection: Connection, job: Job, **row: Any) -> None:
    """Change a job that this worker holds. An ended lease that nobody took over is still held: the fence decides."""
    held = (JOB.c.id == job.id) & (JOB.c.state == "running") & (JOB.c.fence == job.fence)
    if connection.execute(update(JOB).where(held).values(**row)).rowcount != 1:
        raise LeaseLostError(f"job {job.id} is no longer held with fence {job.fence}; drop what was computed for it")


def _fail_the_lost(connection: Connection, which: Any, now: datetime) -> None:
    row = {"state": "failed", "finished_at": now, "error": "its worker was lost, and this was the last attempt"}
    failed = update(JOB).where(which).values(**row, **_FREE).returning(JOB.c.id, JOB.c.kind, JOB.c.fence)
    for number, kind, fence in connection.execute(failed).all():
        note(connection, "fail", "job", number, actor=None, now=now, kind=kind, fence=fence)
