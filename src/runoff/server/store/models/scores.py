"""Tables of what was computed of a run: arrays per query on open labels, means, verdicts."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from runoff.server.store.models._columns import METADATA, UtcTime, key, link

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
    Column("kernel", String(60), nullable=False),
    Column("content_hash", String(64), nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    CheckConstraint("NOT sealed", name="open_only"),
    ForeignKeyConstraint(["label_set_id", "sealed"], ["label_set.id", "label_set.sealed"]),
    ForeignKeyConstraint(["query_set_id", "sealed"], ["query_set.id", "query_set.sealed"]),
    UniqueConstraint("run_id", "label_set_id", "query_set_id", "kind", "kernel"),
)

SCORE = Table(
    "score",
    METADATA,
    key(),
    link("run_id", "run"),
    link("label_set_id", "label_set"),
    link("query_set_id", "query_set"),
    Column("measure", String(60), nullable=False),
    Column("kernel", String(60), nullable=False),
    Column("mean", Float, nullable=False),
    Column("queries", Integer, nullable=False),
    Column("missing_queries", Integer, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    UniqueConstraint("run_id", "label_set_id", "query_set_id", "measure", "kernel"),
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
    Column("kernel", String(60), nullable=False),
    Column("decided_at", UtcTime, nullable=False),
    UniqueConstraint("run_id", "label_set_id", "query_set_id"),
    CheckConstraint("champion_id <> run_id", name="against_another"),
)
