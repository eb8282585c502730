"""Boards: what is measured, how often a team may submit, and what is shown when."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import Connection, select, update

from runoff.boards.submissions import SubmissionRule
from runoff.errors import ConflictError, UsageError
from runoff.server.store._rows import add, many, note, one
from runoff.server.store.models.boards import BOARD
from runoff.server.store.names import clean_name, clean_slug
from runoff.tables.board import BOARD_RECORD_RULES

RELEASES: Final = ("all", "ladder")


@dataclass(frozen=True, kw_only=True)
class BoardSettings:
    """Everything that organisers choose.

    measure, depth, relevance_level, alpha, correction, record_rule, gains  as in a board.toml; gains have grades as
                          text keys
    window_days, most, variants  the rule for submissions, see `SubmissionRule`
    opens_at, closes_at   submissions are taken from and until then; None: no limit
    upload_limit          bytes of an uploaded file, as it arrives
    digits                of a score that teams are shown: fewer digits tell less about single queries
    private_until         results on private labels are shown from then on; None: organisers alone see them
    anonymous_until       names of teams are shown from then on; None: they are shown at once
    release               which scores are shown: `all`, or by the `ladder` those that beat the team's best
    """

    slug: str
    title: str
    description: str = ""
    measure: str
    depth: int = 100
    relevance_level: int = 1
    alpha: float = 0.05
    correction: str = "holm"
    record_rule: str = "fallback"
    gains: Mapping[str, float] | None = None
    window_days: int = 30
    most: int = 2
    variants: int = 1
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    upload_limit: int = 500_000_000
    digits: int = 3
    private_until: datetime | None = None
    anonymous_until: datetime | None = None
    release: str = "all"

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("depth", self.depth, 1, 100_000),
            ("upload_limit", self.upload_limit, 1, 2**53),
            ("digits", self.digits, 1, 10),
        ):
            if not low <= value <= high:
                raise UsageError(f"{name}={value} cannot be used; expected {low} to {high:,}")
        if self.release not in RELEASES:
            raise UsageError(f"release={self.release!r} cannot be used; expected {' or '.join(RELEASES)}")
        if self.record_rule not in BOARD_RECORD_RULES:
            rules = ", ".join(BOARD_RECORD_RULES)
            raise UsageError(f"record_rule={self.record_rule!r} cannot be used; expected one of {rules}")
        if not 0 < self.alpha < 1:
            raise UsageError(f"alpha={self.alpha} cannot be used; expected a number between 0 and 1, such as 0.05")
        if self.opens_at and self.closes_at and self.opens_at >= self.closes_at:
            raise UsageError(f"the board closes at {self.closes_at} and opens at {self.opens_at}; expected the reverse")
        _ = self.rule

    @property
    def rule(self) -> SubmissionRule:
        """The rule for submissions."""
        return SubmissionRule(days=self.window_days, most=self.most, variants=self.variants)


@dataclass(frozen=True, kw_only=True)
class StoredBoard(BoardSettings):
    """A board of the store.

    version  grows with each change of its settings
    choice   the number of the choice of queries whose scores the public sees, 0 where it is all of them; which queries
             a choice leaves out, the sealed store alone knows
    """

    id: int
    created_at: datetime
    version: int
    choice: int = 0

    def is_open(self, now: datetime) -> bool:
        """Whether it takes submissions."""
        return (self.opens_at is None or now >= self.opens_at) and (self.closes_at is None or now < self.closes_at)

    def shows_private(self, now: datetime) -> bool:
        """Whether results on private labels are shown to all."""
        return self.private_until is not None and now >= self.private_until

    def shows_teams(self, now: datetime) -> bool:
        """Whether the names of teams are shown to all."""
        return self.anonymous_until is None or now >= self.anonymous_until

    def first_day_of_window(self, now: datetime) -> datetime:
        """Midnight (UTC) from which submissions count together with one made now."""
        midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        return midnight - timedelta(days=self.window_days - 1)


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
            f"board {before.slug!r} was changed meanwhile (version {before.version}, not {version}); look at it again"
        )
    names = [field.name for field in dataclasses.fields(BoardSettings)]
    changed = sorted(name for name in names if getattr(before, name) != getattr(settings, name))
    note(connection, "change", "board", board_id, actor=actor, now=now, version=version + 1, changed=changed)
    return load_board(connection, board_id)


def save_board_choice(connection: Connection, board_id: int, choice: int) -> StoredBoard:
    """Set which choice of the queries the public sees the scores of; to be noted by who made the choice."""
    changed = {"choice": choice, "version": BOARD.c.version + 1}
    connection.execute(update(BOARD).where(BOARD.c.id == board_id).values(**changed))
    return load_board(connection, board_id)


def load_board(connection: Connection, board_id: int) -> StoredBoard:
    """The board of a number."""
    return one(connection, StoredBoard, BOARD, BOARD.c.id == board_id, what=f"board {board_id}")


def lock_board(connection: Connection, board_id: int) -> StoredBoard:
    """The board of a number, which nobody else can lock or change until this transaction ends."""
    connection.execute(select(BOARD.c.id).where(BOARD.c.id == board_id).with_for_update(key_share=True))
    return load_board(connection, board_id)


def load_board_by_slug(connection: Connection, slug: str) -> StoredBoard:
    """The board of a name in an address."""
    return one(connection, StoredBoard, BOARD, BOARD.c.slug == slug, what=f"board {slug!r}")


def load_boards(connection: Connection) -> tuple[StoredBoard, ...]:
    """All boards, the oldest first."""
    return many(connection, StoredBoard, BOARD)


def _row(settings: BoardSettings) -> dict[str, object]:
    row = {field.name: getattr(settings, field.name) for field in dataclasses.fields(BoardSettings)}
    return {**row, "slug": clean_slug(settings.slug), "title": clean_name(settings.title)}
