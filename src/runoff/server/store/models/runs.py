"""Table of runs that were submitted."""

from __future__ import annotations

from typing import Final, Literal

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Index,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from runoff.server.store.models._columns import METADATA, UtcTime, key, link, one_of

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

# Which run stands for a team on a board: the last row of a team is its choice, the earlier ones are what it was before.
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
