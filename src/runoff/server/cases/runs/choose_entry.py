"""Which run represents its team on a board, and which runs count for the submission rule."""

from __future__ import annotations

from datetime import datetime

from runoff.errors import ConflictError, NotFoundError
from runoff.server.cases.accounts.permissions import Actor, Thing, may, require
from runoff.server.store.boards import StoredBoard
from runoff.server.store.database import Database
from runoff.server.store.submissions import StoredRun, load_run, save_entry, save_run_counts


def choose_entry(database: Database, board: StoredBoard, actor: Actor, run_id: int, *, now: datetime) -> StoredRun:
    """Let a scored run stand for its team, while the board is open and its private results are not shown yet."""
    with database.read() as connection:
        run = load_run(connection, run_id)
    if run.board_id != board.id:
        raise NotFoundError(f"there is no run {run_id} on board {board.slug!r}")
    require(actor, "submit run", Thing(team=run.team_id))
    if not can_choose(board, run, now):
        raise ConflictError(
            f"run {run.name!r} cannot be chosen now: a scored run can, while the board is open and before results on "
            "private labels are shown"
        )
    database.write(lambda connection: save_entry(connection, run, actor=int(actor.id or 0), now=now))
    return run


def can_choose(board: StoredBoard, run: StoredRun, now: datetime) -> bool:
    """Whether a run can be chosen: who knows the private results could choose by them."""
    is_early = board.is_open(now) and not board.shows_private(now)
    return is_early and run.state == "scored" and not run.baseline


def may_choose(actor: Actor, board: StoredBoard, run: StoredRun, now: datetime) -> bool:
    """Whether somebody is offered the choice."""
    return can_choose(board, run, now) and may(actor, "submit run", Thing(team=run.team_id))


def change_run_counts(database: Database, run_id: int, *, counts: bool, actor: Actor, now: datetime) -> None:
    """Let a run count for the submission rule or not, as an organiser."""
    require(actor, "manage board")
    database.write(
        lambda connection: save_run_counts(connection, run_id, counts=counts, actor=int(actor.id or 0), now=now)
    )
