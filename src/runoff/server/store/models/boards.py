"""Tables of boards, of their query sets and label sets, which are kept as versions, and of which labels are in use."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from runoff.server.store.models._columns import METADATA, UtcTime, key, link

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
    # Which choice of the queries the public sees the scores of; 0 is all of them. What the choice is, is sealed.
    Column("choice", Integer, nullable=False, server_default="0"),
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
