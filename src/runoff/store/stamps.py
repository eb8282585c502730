"""A stamp of a board: one cheap question whose answer changes with everything that its page shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, ScalarSelect, Table, and_, func, select

from runoff.errors import NotFoundError
from runoff.store.models.boards import BOARD, LABEL_SET, QUERY_SET
from runoff.store.models.runs import RUN
from runoff.store.models.scores import ANALYSIS, SCORE, VERDICT


@dataclass(frozen=True, kw_only=True)
class BoardStamp:
    """What identifies a state of a board: two equal stamps mean the same page.

    version         of its settings
    sets            the newest query set and label set
    runs            how many are scored, the newest of them, and how many embargoes are over
    numbers         how many arrays, means and verdicts the store has; of all boards, which costs a page now and then
    dates           which of the board's dates are past
    """

    board_id: int
    version: int
    sets: tuple[int, int]
    runs: tuple[int, int, int]
    numbers: tuple[int, int, int]
    dates: tuple[bool, ...]


def load_board_stamp(connection: Connection, slug: str, now: datetime) -> BoardStamp:
    """The stamp of a board now, in one statement."""
    scored = and_(RUN.c.board_id == BOARD.c.id, RUN.c.state == "scored")
    ended = and_(scored, RUN.c.embargo_until <= now)

    def of_runs(what: object, where: object) -> ScalarSelect[int]:
        return select(what).where(where).correlate(BOARD).scalar_subquery()  # type: ignore[call-overload, no-any-return]

    def newest(table: Table) -> ScalarSelect[int]:
        newest = select(func.coalesce(func.max(table.c.id), 0)).where(table.c.board_id == BOARD.c.id)
        return newest.correlate(BOARD).scalar_subquery()

    def count(table: Table) -> ScalarSelect[int]:
        return select(func.count()).select_from(table).scalar_subquery()

    row = connection.execute(
        select(
            BOARD.c.id, BOARD.c.version, newest(QUERY_SET), newest(LABEL_SET),
            of_runs(func.count(), scored), of_runs(func.coalesce(func.max(RUN.c.id), 0), scored),
            of_runs(func.count(), ended), count(ANALYSIS), count(SCORE), count(VERDICT),
            BOARD.c.opens_at, BOARD.c.closes_at, BOARD.c.private_until, BOARD.c.anonymous_until,
        ).where(BOARD.c.slug == slug)
    ).one_or_none()  # fmt: skip
    if row is None:
        raise NotFoundError(f"there is no board {slug[:60]!r}")
    return BoardStamp(
        board_id=row[0],
        version=row[1],
        sets=(row[2], row[3]),
        runs=(row[4], row[5], row[6]),
        numbers=(row[7], row[8], row[9]),
        dates=tuple(moment is not None and now >= moment for moment in row[10:14]),
    )
