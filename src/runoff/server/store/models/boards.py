"""Tables of boards, their labels and queries, runs, scores and jobs."""

from __future__ import annotations

from typing import Final, Literal

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from runoff.server.store.models._columns import METADATA, UtcTime, key, link, one_of

BOARD = Table(
    "board",
    METADATA,
    key(),
    Column("slug", String(60), nullable=False, unique=True),
    Column("title", String(200), nullable=False),
    Column("description", Text, nullable=False),
    Column("measure", String(60), nullable=False),
    Column("depth", Integer, nullable=False),
    Column("relevance_level", Integer, nullable=False),
    Column("alpha", Float, nullable=False),
    Column("correction", String(40), nullable=False),
    Column("gains", JSON(none_as_null=True)),
    Column("window_days", Integer, nullable=False),
    Column("most", Integer, nullable=False),
    Column("variants", Integer, nullable=False),
    Column("opens_at", UtcTime),
    Column("closes_at", UtcTime),
    Column("upload_limit", BigInteger().with_variant(Integer, "sqlite"), nullable=False),
    Column("digits", Integer, nullable=False),
    Column("private_until", UtcTime),
    Column("anonymous_until", UtcTime),
    Column("created_at", UtcTime, nullable=False),
    Column("version", Integer, nullable=False),
    # The number of the subset of queries that is hidden from the public; 0: none is. Which queries those are is sealed.
    Column("choice", Integer, key="hidden_subset", nullable=False, server_default="0"),
    Column("release", String(20), nullable=False, server_default="all"),
    Column("record_rule", String(20), nullable=False, server_default="fallback"),
    # Settings that were declared after the columns above; a new one needs no column.
    Column("more_settings", JSON(none_as_null=True)),
    CheckConstraint("depth > 0", name="depth_positive"),
    CheckConstraint("alpha > 0 AND alpha < 1", name="alpha_inside"),
    CheckConstraint("window_days > 0 AND most > 0 AND variants >= 0", name="rule_possible"),
    CheckConstraint("upload_limit > 0", name="upload_limit_positive"),
    CheckConstraint("digits BETWEEN 1 AND 10", name="digits_inside"),
)


def _versions(name: str, *more: Column[int]) -> Table:
    """A table of versions; (id, sealed) is unique so that another table can point at unsealed rows only."""
    return Table(
        name,
        METADATA,
        key(),
        link("board_id", "board"),
        Column("name", String(60), nullable=False),
        Column("version", Integer, nullable=False),
        Column("sealed", Boolean(create_constraint=False), nullable=False),
        Column("content_hash", String(64)),
        Column("queries", Integer, nullable=False),
        Column("note", Text, nullable=False),
        Column("created_at", UtcTime, nullable=False),
        *more,
        UniqueConstraint("board_id", "name", "version"),
        UniqueConstraint("id", "sealed"),
        CheckConstraint("sealed = (content_hash IS NULL)", name="hash_of_the_unsealed"),
    )


QUERY_SET = _versions("query_set")
LABEL_SET = _versions("label_set", Column("judged", Integer, nullable=False), Column("relevance_level", Integer))

LABEL_USE = Table(
    "label_use",
    METADATA,
    key(),
    link("label_set_id", "label_set", index=True),
    Column("since", UtcTime, nullable=False),
)


RunState = Literal["queued", "scoring", "scored", "rejected"]
RUN_STATES: Final = ("queued", "scoring", "scored", "rejected")

RUN = Table(
    "run",
    METADATA,
    key(),
    link("board_id", "board"),
    link("team_id", "team"),
    link("submitted_by", "person"),
    Column("submitted_at", UtcTime, nullable=False),
    Column("submission_key", String(100), nullable=False),
    Column("name", String(100), nullable=False),
    Column("description", Text, nullable=False),
    Column("metadata", JSON, nullable=False),
    Column("content_hash", String(64), nullable=False),
    Column("size", BigInteger, nullable=False),
    link("variant_of", "run", optional=True),
    Column("baseline", Boolean(create_constraint=False), nullable=False),
    Column("anonymous", Boolean(create_constraint=False), nullable=False),
    Column("anonymous_until", UtcTime),
    Column("embargo_until", UtcTime),
    Column("state", String(20), nullable=False),
    Column("counts", Boolean(create_constraint=False), nullable=False),
    Column("problems", JSON, nullable=False),
    Column("scored_at", UtcTime),
    # Whether the release rule of the board keeps its scores back.
    Column("held", Boolean(create_constraint=False), nullable=False, server_default=false()),
    # The same request sent twice is one submission.
    UniqueConstraint("board_id", "team_id", "submission_key"),
    UniqueConstraint("board_id", "team_id", "name"),
    CheckConstraint("size >= 0", name="size_possible"),
    one_of("state", RUN_STATES),
    Index("ix_run_board_id_team_id_submitted_at", "board_id", "team_id", "submitted_at"),
)

# For whom a run counts besides its team: who was in it when it was sent. Runs that came with a board have no rows.
RUN_MEMBER = Table(
    "run_member",
    METADATA,
    link("run_id", "run", primary_key=True),
    link("person_id", "person", primary_key=True, index=True),
)

# Fingerprints of the lists of a run for the public queries, made when its file is looked through; no label is in them.
RUN_LISTS = Table(
    "run_lists",
    METADATA,
    link("run_id", "run", primary_key=True),
    Column("content_hash", String(64), nullable=False),
    Column("content", LargeBinary, nullable=False),
)

# Which run represents a team on a board: the last row of a team is its choice, earlier rows are its former choices.
ENTRY = Table(
    "entry",
    METADATA,
    key(),
    link("board_id", "board"),
    link("team_id", "team"),
    link("run_id", "run"),
    link("chosen_by", "person"),
    Column("chosen_at", UtcTime, nullable=False),
    Index("ix_entry_board_id_team_id", "board_id", "team_id"),
)


# Arrays per query on labels that are open. `sealed` is always false, and both foreign keys contain it: the database
# itself refuses a row about sealed labels or sealed queries.
ANALYSIS = Table(
    "analysis",
    METADATA,
    key(),
    link("run_id", "run"),
    Column("label_set_id", Integer, nullable=False),
    Column("query_set_id", Integer, nullable=False),
    Column("sealed", Boolean(create_constraint=False), nullable=False),
    Column("kind", String(60), nullable=False),
    Column("kernel", String(60), key="computation_version", nullable=False),
    Column("content_hash", String(64), nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    CheckConstraint("NOT sealed", name="open_only"),
    ForeignKeyConstraint(["label_set_id", "sealed"], ["label_set.id", "label_set.sealed"]),
    ForeignKeyConstraint(["query_set_id", "sealed"], ["query_set.id", "query_set.sealed"]),
    UniqueConstraint("run_id", "label_set_id", "query_set_id", "kind", "computation_version"),
)

SCORE = Table(
    "score",
    METADATA,
    key(),
    link("run_id", "run"),
    link("label_set_id", "label_set"),
    link("query_set_id", "query_set"),
    Column("measure", String(60), nullable=False),
    Column("kernel", String(60), key="computation_version", nullable=False),
    Column("mean", Float, nullable=False),
    Column("queries", Integer, nullable=False),
    Column("missing_queries", Integer, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    UniqueConstraint("run_id", "label_set_id", "query_set_id", "measure", "computation_version"),
)

VERDICT = Table(
    "verdict",
    METADATA,
    key(),
    link("run_id", "run"),
    link("champion_id", "run", optional=True),
    link("label_set_id", "label_set"),
    link("query_set_id", "query_set"),
    # Both are missing if the run was compared with nothing.
    Column("strict", String(20)),
    Column("do_no_harm", String(20)),
    Column("sentence", Text, nullable=False),
    Column("policy", JSON, nullable=False),
    Column("kernel", String(60), key="computation_version", nullable=False),
    Column("decided_at", UtcTime, nullable=False),
    UniqueConstraint("run_id", "label_set_id", "query_set_id"),
    CheckConstraint("champion_id <> run_id", name="against_another"),
)


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
    # Grows with each lease, so that a worker that lost its lease differs from the one that has it.
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
