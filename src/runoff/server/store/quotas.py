"""How many submissions the rule of a board leaves to a team."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, select

from runoff.errors import QuotaError
from runoff.server.store.boards import StoredBoard
from runoff.server.store.models.runs import RUN


@dataclass(frozen=True, kw_only=True)
class Quota:
    """What a team has used of the rule in the window that ends today.

    free_at          when the next submission can be made: now, or the midnight (UTC) at which one leaves the window
    variant_free_at  the same for a small variation; None if the board takes none
    """

    used: int
    most: int
    variants_used: int
    variants: int
    free_at: datetime
    variant_free_at: datetime | None

    @property
    def left(self) -> int:
        """Submissions that are left now."""
        return max(0, self.most - self.used)


def load_quota(connection: Connection, board: StoredBoard, team_id: int, now: datetime) -> Quota:
    """What a team has used and has left; `runoff.boards.submissions` counts the same way, by days in UTC."""
    query = select(RUN.c.submitted_at, RUN.c.variant_of).where(
        RUN.c.board_id == board.id,
        RUN.c.team_id == team_id,
        RUN.c.counts,
        RUN.c.submitted_at >= board.first_day_of_window(now),
    )
    rows = connection.execute(query.order_by(RUN.c.submitted_at)).all()
    times = [row.submitted_at for row in rows]
    variant_times = [row.submitted_at for row in rows if row.variant_of is not None]
    free_at = _free_at(times, board.most, board.window_days, now)
    variant_free_at = _free_at(variant_times, board.variants, board.window_days, now)
    return Quota(
        used=len(times),
        most=board.most,
        variants_used=len(variant_times),
        variants=board.variants,
        free_at=free_at or now,
        variant_free_at=None if variant_free_at is None else max(variant_free_at, free_at or now),
    )


def check_quota(connection: Connection, board: StoredBoard, team_id: int, *, variant: bool, now: datetime) -> None:
    """Raise `QuotaError` unless the rule leaves one more submission; to be called with the team's row locked."""
    quota = load_quota(connection, board, team_id, now)
    window = f"in any {board.window_days} days"
    if quota.used >= quota.most:
        raise QuotaError(
            f"the team has used {quota.used} of the {quota.most} submissions that board {board.slug!r} takes {window}; "
            f"the next can be made from {quota.free_at:%Y-%m-%d} (UTC)",
            free_at=quota.free_at,
        )
    if variant and quota.variants_used >= quota.variants:
        when = quota.variant_free_at
        rest = f"the next can be made from {when:%Y-%m-%d} (UTC)" if when else "send a run that is no variation"
        raise QuotaError(
            f"the team has used {quota.variants_used} of the {quota.variants} small variations that board "
            f"{board.slug!r} takes {window}; {rest}",
            free_at=when,
        )


def _free_at(times: list[datetime], most: int, days: int, now: datetime) -> datetime | None:
    """When fewer than `most` of the times, which are in order, are in the window; None: never."""
    if most == 0:
        return None
    if len(times) < most:
        return now
    last = times[-most]
    return last.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=days)
