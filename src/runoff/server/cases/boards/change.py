"""Change the settings of a board that is in use; what was scored under the old ones is scored again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from runoff.errors import UsageError
from runoff.measures import parse_measure
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.runs.score import queue_rescoring, save_share
from runoff.server.cases.views.serp_arrays import kernel_of, measure_of
from runoff.server.store.boards import BoardSettings, StoredBoard, load_board, save_board_settings
from runoff.server.store.database import Database
from runoff.server.store.submissions import save_all_shown

if TYPE_CHECKING:
    from sqlalchemy import Connection

RESCORED: Final = ("measure", "depth", "relevance_level", "hidden_share")
"""Settings whose change lets every run be scored again; verdicts of earlier days stand."""


@dataclass(frozen=True, kw_only=True)
class ChangedBoard:
    """The board as it is now, and how many of its runs are scored again."""

    board: StoredBoard
    rescored: int


def change_board(
    database: Database,
    board_id: int,
    settings: BoardSettings,
    *,
    version: int,
    hidden_share: float | None = None,
    actor: Actor,
    now: datetime,
) -> ChangedBoard:
    """Change settings, unless somebody has changed them since `version`; one transaction with the queue of scoring.

    hidden_share  the share of the public queries that is left out of public scores; None: as it is

    The name in the address stays, because links hold it. Another measure, depth, relevance level or hidden share lets
    every run be scored again: the board shows those that are done, and says how many are not. Without a release rule
    the scores that it held back are shown.
    """
    require(actor, "manage board")
    parse_measure(settings.measure)
    measure_of(settings)

    def work(connection: Connection) -> ChangedBoard:
        before = load_board(connection, board_id)
        if settings.slug != before.slug:
            raise UsageError(f"slug {settings.slug!r}: a board keeps its name in addresses; expected {before.slug!r}")
        after = save_board_settings(connection, board_id, settings, version=version, actor=actor.id, now=now)
        if after.release == "all":
            save_all_shown(connection, board_id)
        is_new = hidden_share is not None and save_share(connection, after, hidden_share, actor=actor.id, now=now)
        if is_new or kernel_of(before) != kernel_of(after) or before.relevance_level != after.relevance_level:
            rescored = queue_rescoring(connection, after, now=now)
            return ChangedBoard(board=load_board(connection, board_id), rescored=rescored)
        return ChangedBoard(board=after, rescored=0)

    return database.write(work)


def save_first_share(database: Database, board: StoredBoard, share: float, *, actor: Actor, now: datetime) -> None:
    """Set the hidden share of a board that was just made."""
    require(actor, "manage board")

    def work(connection: Connection) -> None:
        if save_share(connection, board, share, actor=actor.id, now=now):
            queue_rescoring(connection, load_board(connection, board.id), now=now)

    database.write(work)
