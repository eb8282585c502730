"""A stamp of a board: one cheap question whose answer changes with everything that its page shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, ScalarSelect, Select, Table, and_, bindparam, func, select

from runoff.errors import NotFoundError
from runoff.server.store.models.boards import BOARD, LABEL_SET, QUERY_SET
from runoff.server.store.models.runs import ENTRY, RUN
from runoff.server.store.models.scores import ANALYSIS, SCORE, VERDICT


@dataclass(frozen=True, kw_only=True)
class BoardStamp:
    """What identifies a state of a board: two equal stamps mean the same page.

    version         of its settings
    sets            how many versions of query sets and label sets there are; none is ever removed
    runs            how many are scored, the newest, how many embargoes and anonymities are over, and teams' choices
    numbers         how many arrays, means and verdicts the store has; of all boards, which costs a page now and then
    dates           which of the board's dates are past
    """

    board_id: int
    version: int
    sets: tuple[int, int]
    runs: tuple[int, int, int, int, int]
    numbers: tuple[int, int, int]
    dates: tuple[bool, ...]


def _statement() -> Select[Any]:
    """The question; it is asked at every request, so it is put together once."""
    scored = and_(RUN.c.board_id == BOARD.c.id, RUN.c.state == "scored")
    moment = bindparam("now", type_=RUN.c.embargo_until.type)
    ended = and_(scored, RUN.c.embargo_until <= moment)
    named = and_(scored, RUN.c.anonymous_until <= moment)

    def of_board(what: object, where: object) -> ScalarSelect[int]:
        return select(what).where(where).correlate(BOARD).scalar_subquery()  # type: ignore[call-overload, no-any-return]

    def count(table: Table) -> ScalarSelect[int]:
        return select(func.count()).select_from(table).scalar_subquery()

    return select(
        BOARD.c.id, BOARD.c.version,
        of_board(func.count(QUERY_SET.c.id), QUERY_SET.c.board_id == BOARD.c.id),
        of_board(func.count(LABEL_SET.c.id), LABEL_SET.c.board_id == BOARD.c.id),
        of_board(func.count(), scored), of_board(func.coalesce(func.max(RUN.c.id), 0), scored),
        of_board(func.count(), ended), of_board(func.count(), named),
        of_board(func.count(), ENTRY.c.board_id == BOARD.c.id), count(ANALYSIS), count(SCORE), count(VERDICT),
        BOARD.c.opens_at, BOARD.c.closes_at, BOARD.c.private_until, BOARD.c.anonymous_until,
    ).where(BOARD.c.slug == bindparam("slug"))  # fmt: skip


_STAMP: Final = _statement()


def load_board_stamp(connection: Connection, slug: str, now: datetime) -> BoardStamp:
    """The stamp of a board now, in one statement."""
    row = connection.execute(_STAMP, {"slug": slug, "now": now}).one_or_none()
    if row is None:
        raise NotFoundError(f"there is no board {slug[:60]!r}")
    return BoardStamp(
        board_id=row[0],
        version=row[1],
        sets=(row[2], row[3]),
        runs=(row[4], row[5], row[6], row[7], row[8]),
        numbers=(row[9], row[10], row[11]),
        dates=tuple(moment is not None and now >= moment for moment in row[12:16]),
    )
