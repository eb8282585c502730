"""How long a choice took: what the browser says, and never more than the server's own clock allows."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.judging.judge import LONGEST_SECONDS
from runoff.server.store.database import Database
from runoff.server.store.judging import TaskTimes, load_task_times
from runoff.server.store.judgments import save_judgment
from runoff.server.store.models.campaigns import Side

if TYPE_CHECKING:
    from sqlalchemy import Connection


def counted_seconds(times: TaskTimes, claimed: float | None, now: datetime) -> float:
    """The seconds that a choice is counted with.

    A browser shows pairs before the server hears of the last choice, and sends several at once after a break of the
    connection. So its own time is taken, but the times of a task together are never longer than the task has been in
    its assessor's hands: nobody who answers fast can claim to have been slow. Without a claim it is the time since the
    choice before.

    >>> from datetime import UTC, timedelta
    >>> given = datetime(2026, 3, 15, 12, 0, tzinfo=UTC)
    >>> times = TaskTimes(given_at=given, last_at=given + timedelta(seconds=8), seconds=8.0)
    >>> [counted_seconds(times, claimed, given + timedelta(seconds=20)) for claimed in (5.0, 99.0, None)]
    [5.0, 12.0, 12.0]
    """
    if claimed is None:
        return max(0.0, (now - (times.last_at or times.given_at)).total_seconds())
    left = (now - times.given_at).total_seconds() - times.seconds
    return max(0.0, min(claimed, left))


def choose_timed(
    database: Database,
    assignment_id: int,
    pair_id: int,
    side: Side,
    *,
    claimed: float | None,
    retry_key: str | None = None,
    actor: Actor,
    now: datetime,
) -> None:
    """Keep a choice with its seconds; `claimed` are those of the assessor's browser, None if it counts none."""
    require(actor, "judge")
    person_id = int(actor.id or 0)

    def work(connection: Connection) -> None:
        spent = counted_seconds(load_task_times(connection, assignment_id, person_id), claimed, now)
        row = {"person_id": person_id, "seconds": min(spent, LONGEST_SECONDS), "retry_key": retry_key, "now": now}
        save_judgment(connection, assignment_id, pair_id, side, **row)  # type: ignore[arg-type]

    # One transaction: a second one would cost more than all its statements.
    database.write_small(work)
