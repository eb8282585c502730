"""The audit log: every change of state, by whom and when; rows are added by the functions that make the changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, or_, select

from runoff.server.store._rows import columns, many, values
from runoff.server.store.models.accounts import AUDIT
from runoff.server.store.models.boards import LABEL_SET, QUERY_SET, RUN
from runoff.server.store.models.campaigns import CAMPAIGN

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


def load_board_audit(
    connection: Connection,
    board_id: int,
    *,
    actor_id: int | None = None,
    action: str = "",
    thing: str = "",
    most: int,
    skip: int = 0,
) -> tuple[tuple[AuditEntry, ...], int]:
    """The changes of a board, its runs, labels, queries and campaigns, the newest first, and how many there are.

    actor_id, action, thing  those of one person, of one kind of change, or of one kind of thing
    most, skip               how many are returned, and how many newer ones are left out
    """
    own = [(AUDIT.c.thing == "board") & (AUDIT.c.thing_id == board_id)]
    for table in (RUN, LABEL_SET, QUERY_SET, CAMPAIGN):
        numbers = select(table.c.id).where(table.c.board_id == board_id)
        own.append((AUDIT.c.thing == table.name) & AUDIT.c.thing_id.in_(numbers))
    where = [or_(*own)]
    where += [] if actor_id is None else [AUDIT.c.actor_id == actor_id]
    where += [AUDIT.c.action == action] if action else []
    where += [AUDIT.c.thing == thing] if thing else []
    total = int(connection.execute(select(func.count()).select_from(AUDIT).where(*where)).scalar_one())
    query = select(*columns(AuditEntry, AUDIT)).where(*where).order_by(AUDIT.c.id.desc()).limit(most).offset(skip)
    return values(connection.execute(query), AuditEntry), total
