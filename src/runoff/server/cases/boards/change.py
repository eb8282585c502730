"""Change the settings of a board that is in use; what was scored under the old ones is scored again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from runoff.errors import UsageError
from runoff.measures import parse_measure
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.runs.score import load_share, queue_rescoring, save_share
from runoff.server.cases.views.serp_arrays import computation_version_of, measure_of
from runoff.server.store.boards import StoredBoard, load_board, save_board_settings
from runoff.server.store.database import Database
from runoff.server.store.names import clean_name, clean_slug
from runoff.server.store.submissions import save_all_shown
from runoff.tables.settings import BoardSettings, OrganiserSettings, settings_of

if TYPE_CHECKING:
    from sqlalchemy import Connection


def _checked_measure(text: str) -> str:
    parse_measure(text)
    return text


SETTING_CHECKS: Final[Mapping[str, Callable[[str], str]]] = {
    "title": clean_name,
    "slug": clean_slug,
    "measure": _checked_measure,
}
"""Checks that the declarations of these settings cannot make, because they need more than the value's type."""


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
    actor: Actor,
    now: datetime,
) -> ChangedBoard:
    """Change settings, unless somebody has changed them since `version`; one transaction with the queue of scoring.

    The name in the address stays, because links hold it. Another measure, depth, relevance level or hidden share lets
    every run be scored again: the board shows those that are done, and says how many are not. Without a release rule
    the scores that it held back are shown. Without an organiser's settings the hidden share stays as it is.
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
        is_new = isinstance(settings, OrganiserSettings) and save_share(
            connection, after, settings.hidden_share, actor=actor.id, now=now
        )
        is_new |= computation_version_of(before) != computation_version_of(after)
        if is_new or before.relevance_level != after.relevance_level:
            rescored = queue_rescoring(connection, after, now=now)
            return ChangedBoard(board=load_board(connection, board_id), rescored=rescored)
        return ChangedBoard(board=after, rescored=0)

    return database.write(work)


def load_organiser_settings(connection: Connection, board: StoredBoard) -> OrganiserSettings:
    """All settings of a board, with its hidden share."""
    return OrganiserSettings(**settings_of(board), hidden_share=load_share(connection, board))
