"""Boards, their settings, and a version number that changes with whatever their pages show."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    Connection,
    RowMapping,
    ScalarSelect,
    Select,
    Table,
    and_,
    bindparam,
    func,
    select,
    update,
)

from runoff.boards.submissions import SubmissionRule
from runoff.comparisons.options import DEFAULT_DEPTH
from runoff.errors import ConflictError, NotFoundError
from runoff.measures import parse_measure
from runoff.server.store._rows import add, note
from runoff.server.store.models.boards import ANALYSIS, BOARD, ENTRY, LABEL_SET, QUERY_SET, RUN, SCORE, VERDICT
from runoff.server.store.names import clean_name, clean_slug
from runoff.tables.settings import SETTINGS, BoardSettings

_FIELDS: Final = tuple(field.name for field in dataclasses.fields(BoardSettings))
_COLUMNS: Final = frozenset(BOARD.c.keys()) - {"more_settings"}


@dataclass(frozen=True, kw_only=True)
class StoredBoard(BoardSettings):
    """A board of the store.

    version        grows with each change of its settings
    hidden_subset  the number of the subset of queries that is hidden from the public, 0 where none is; which queries
                   are in it, the sealed store alone knows
    """

    depth: int
    id: int
    created_at: datetime
    version: int
    hidden_subset: int = 0

    def __post_init__(self) -> None:
        """Check nothing: settings are checked when they are saved, and a row is trusted."""

    @property
    def rule(self) -> SubmissionRule:
        """The rule for submissions."""
        return SubmissionRule(days=self.window_days, most=self.most, variants=self.variants)

    def is_open(self, now: datetime) -> bool:
        """Whether it takes submissions."""
        return (self.opens_at is None or now >= self.opens_at) and (self.closes_at is None or now < self.closes_at)

    @property
    def private_from(self) -> datetime | None:
        """When all see results on private labels: from `private_until` on, once no run can be sent; None: never."""
        if self.private_until is None or self.closes_at is None:
            return None
        return max(self.private_until, self.closes_at)

    def shows_private(self, now: datetime) -> bool:
        """Whether results on private labels are shown to all."""
        return self.private_from is not None and now >= self.private_from

    def shows_teams(self, now: datetime) -> bool:
        """Whether the names of teams are shown to all."""
        return self.anonymous_until is None or now >= self.anonymous_until


def save_board(connection: Connection, settings: BoardSettings, *, actor: int | None, now: datetime) -> StoredBoard:
    """Make a board."""
    row = _row(settings)
    number = add(connection, BOARD, f"a board is called {settings.slug!r} already", created_at=now, version=1, **row)
    note(connection, "create", "board", number, actor=actor, now=now, slug=settings.slug)
    return load_board(connection, number)


def save_board_settings(
    connection: Connection, board_id: int, settings: BoardSettings, *, version: int, actor: int | None, now: datetime
) -> StoredBoard:
    """Change a board; `version` is the one that the organiser saw, so that nobody overwrites what they did not see."""
    before = load_board(connection, board_id)
    row = _row(settings)
    same = (BOARD.c.id == board_id) & (BOARD.c.version == version)
    if connection.execute(update(BOARD).where(same).values(version=version + 1, **row)).rowcount != 1:
        raise ConflictError(
            f"board {before.slug!r} has since been changed (version {before.version}, not {version}); look at it again"
        )
    after = load_board(connection, board_id)
    changed = sorted(name for name in _FIELDS if getattr(before, name) != getattr(after, name))
    note(connection, "change", "board", board_id, actor=actor, now=now, version=version + 1, changed=changed)
    return after


def save_hidden_subset(connection: Connection, board_id: int, hidden_subset: int) -> StoredBoard:
    """Set which subset of the queries is hidden from the public; the caller writes the audit log."""
    changed = {"hidden_subset": hidden_subset, "version": BOARD.c.version + 1}
    connection.execute(update(BOARD).where(BOARD.c.id == board_id).values(**changed))
    return load_board(connection, board_id)


def load_board(connection: Connection, board: int | str, *, lock: bool = False) -> StoredBoard:
    """The board of a number, or of a name in an address.

    lock  nobody else can lock or change it until this transaction ends
    """
    query = select(BOARD).where((BOARD.c.id if isinstance(board, int) else BOARD.c.slug) == board)
    row = connection.execute(query.with_for_update(key_share=True) if lock else query).mappings().one_or_none()
    if row is None:
        raise NotFoundError(f"there is no board {board!r}")
    return _stored(row)


def load_boards(connection: Connection) -> tuple[StoredBoard, ...]:
    """All boards, the oldest first."""
    return tuple(map(_stored, connection.execute(select(BOARD).order_by(BOARD.c.id)).mappings()))


def _stored(row: RowMapping) -> StoredBoard:
    """A row as a board; settings without a column of their own are in `more_settings`, as JSON has them."""
    own = {name: row[BOARD.c[name]] for name in _COLUMNS}
    own |= {"gains": tuple(own["gains"])} if own.get("gains") else {}
    more = {name: SETTINGS[name].checked(value) for name, value in (row["more_settings"] or {}).items()}
    return StoredBoard(**own, **more)


def _row(settings: BoardSettings) -> dict[str, object]:
    """The settings as a row; they are checked here, whoever made them."""
    checked = BoardSettings(**{name: getattr(settings, name) for name in _FIELDS})
    depth = checked.depth or parse_measure(checked.measure).cutoff or DEFAULT_DEPTH
    row = {name: getattr(checked, name) for name in _FIELDS}
    row |= {"slug": clean_slug(settings.slug), "title": clean_name(settings.title), "depth": depth}
    own = {name: value for name, value in row.items() if name in _COLUMNS}
    more = {name: SETTINGS[name].kind.plain(value) for name, value in row.items() if name not in _COLUMNS}
    return {**own, "more_settings": more or None}


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

    def of_board(value: object, where: object) -> ScalarSelect[int]:
        return select(value).where(where).correlate(BOARD).scalar_subquery()  # type: ignore[call-overload, no-any-return]

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
