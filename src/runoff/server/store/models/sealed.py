"""Tables of private labels and of everything per query about them; `store.sealed` alone may import this."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Float, Integer, LargeBinary, String, Table, UniqueConstraint

from runoff.server.store.models._columns import METADATA, UtcTime, key, link

SEALED_LABELS = Table(
    "sealed_labels",
    METADATA,
    link("label_set_id", "label_set", primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

SEALED_QUERIES = Table(
    "sealed_queries",
    METADATA,
    link("query_set_id", "query_set", primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

SEALED_ANALYSIS = Table(
    "sealed_analysis",
    METADATA,
    key(),
    link("run_id", "run"),
    link("label_set_id", "label_set"),
    link("query_set_id", "query_set"),
    Column("kind", String(60), nullable=False),
    Column("kernel", String(60), key="computation_version", nullable=False),
    Column("content_hash", String(64), nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    UniqueConstraint("run_id", "label_set_id", "query_set_id", "kind", "computation_version"),
)

# Which of the public queries are hidden from the public: a share, chosen by a secret key. The number of the subset
# grows with each change of the share, and stays when only the queries change.
HIDDEN_SHARE = Table(
    "hidden_share",
    METADATA,
    link("board_id", "board", primary_key=True),
    Column("share", Float, nullable=False),
    Column("secret", String(64), nullable=False),
    Column("choice", Integer, key="hidden_subset", nullable=False),
    CheckConstraint("share >= 0 AND share < 1", name="share_inside"),
    CheckConstraint("choice > 0", name="choice_positive"),
)
