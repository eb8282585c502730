"""The audit log: every change of state, by whom and when; rows are added by the functions that make the changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from runoff.store._rows import many, note
from runoff.store.models.audit import AUDIT

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, kw_only=True)
class AuditEntry:
    """One change: who (None: the server itself) did what to which thing, and when."""

    id: int
    at: datetime
    actor_id: int | None
    action: str
    thing: str
    thing_id: int
    details: Mapping[str, Any]


def load_audit(
    connection: Connection, *, thing: str | None = None, thing_id: int | None = None, after: int = 0
) -> tuple[AuditEntry, ...]:
    """The changes in order, of all things, of one kind of thing or of one thing, behind entry number `after`."""
    where = [AUDIT.c.id > after]
    if thing is not None:
        where.append(AUDIT.c.thing == thing)
    if thing_id is not None:
        where.append(AUDIT.c.thing_id == thing_id)
    return many(connection, AuditEntry, AUDIT, *where)


def save_audit_entry(
    connection: Connection, action: str, thing: str, thing_id: int, *, actor: int | None, now: datetime, **details: Any
) -> None:
    """Write a change that no function of the store makes, such as a reveal or an export."""
    note(connection, action, thing, thing_id, actor=actor, now=now, **details)
