"""Which run stands for a team on a board."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import func, insert, select

from runoff.server.store._rows import note
from runoff.server.store.models.runs import ENTRY
from runoff.server.store.submissions import StoredRun

if TYPE_CHECKING:
    from sqlalchemy import Connection


def save_entry(connection: Connection, run: StoredRun, *, actor: int, now: datetime) -> None:
    """Let a run stand for its team; what stood for it before is remembered."""
    row = {"board_id": run.board_id, "team_id": run.team_id, "run_id": run.id, "chosen_by": actor, "chosen_at": now}
    connection.execute(insert(ENTRY).values(**row))
    note(connection, "choose entry", "run", run.id, actor=actor, now=now)


def load_entries(connection: Connection, board_id: int) -> dict[int, int]:
    """The run that each team of a board chose last, by number of the team; without those that chose none."""
    last = select(func.max(ENTRY.c.id)).where(ENTRY.c.board_id == board_id).group_by(ENTRY.c.team_id)
    rows = connection.execute(select(ENTRY.c.team_id, ENTRY.c.run_id).where(ENTRY.c.id.in_(last)))
    return {row.team_id: row.run_id for row in rows}
