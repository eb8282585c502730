"""Table of every change of state; rows can be added and never altered, and triggers see to that."""

from __future__ import annotations

from typing import Final

from sqlalchemy import DDL, JSON, Column, Index, Integer, String, Table, event

from runoff.server.store.migrations._append_only import append_only_statements
from runoff.server.store.models._columns import METADATA, UtcTime, key, link

AUDIT = Table(
    "audit",
    METADATA,
    key(),
    Column("at", UtcTime, nullable=False),
    link("actor_id", "person", optional=True),
    Column("action", String(60), nullable=False),
    Column("thing", String(40), nullable=False),
    Column("thing_id", Integer, nullable=False),
    Column("details", JSON, nullable=False),
    Index("ix_audit_thing_thing_id", "thing", "thing_id"),
)

# Tables whose rows stay as they were written.
APPEND_ONLY: Final = ("audit", "judgment")


def make_append_only(table: Table) -> None:
    """Add the triggers wherever the table is created from its model."""
    for dialect in ("sqlite", "postgresql"):
        for statement in append_only_statements(dialect, table.name):
            command = DDL(statement)  # type: ignore[no-untyped-call]
            event.listen(table, "after_create", command.execute_if(dialect=dialect))


make_append_only(AUDIT)
