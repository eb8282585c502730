"""Table of background work."""

from __future__ import annotations

from typing import Final, Literal

from sqlalchemy import JSON, CheckConstraint, Column, Index, Integer, String, Table, Text

from runoff.server.store.models._columns import METADATA, UtcTime, key, one_of

JobState = Literal["queued", "running", "done", "failed"]
JOB_STATES: Final = ("queued", "running", "done", "failed")

JOB = Table(
    "job",
    METADATA,
    key(),
    Column("kind", String(60), nullable=False),
    Column("job_key", String(200), nullable=False, unique=True),
    Column("payload", JSON, nullable=False),
    Column("state", String(20), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("most_attempts", Integer, nullable=False),
    # Grows with each lease, so that a worker that lost its lease can be told from the one that has it.
    Column("fence", Integer, nullable=False),
    Column("worker", String(100)),
    Column("lease_until", UtcTime),
    Column("run_after", UtcTime, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("finished_at", UtcTime),
    Column("result", JSON(none_as_null=True)),
    Column("error", Text),
    one_of("state", JOB_STATES),
    CheckConstraint("attempts >= 0 AND attempts <= most_attempts", name="attempts_inside"),
    CheckConstraint("(state = 'running') = (lease_until IS NOT NULL)", name="lease_of_the_running"),
    CheckConstraint("(state IN ('done', 'failed')) = (finished_at IS NOT NULL)", name="end_of_the_finished"),
    Index("ix_job_state_run_after", "state", "run_after"),
)
