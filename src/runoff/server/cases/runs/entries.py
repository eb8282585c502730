"""Entries: the run that represents its team on a board; and what pages and mails say about a run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from runoff.display.rounding import rounded_text
from runoff.errors import ConflictError, NotFoundError
from runoff.server.cases.accounts.permissions import Actor, Thing, may, require
from runoff.server.cases.runs.jobs import FAULT
from runoff.server.cases.views.stored_board import is_protected, sees_run, sees_scores, sees_team, sees_verdict
from runoff.server.store.boards import StoredBoard
from runoff.server.store.database import Database
from runoff.server.store.label_sets import load_query_sets
from runoff.server.store.scores import StoredVerdict, load_verdicts
from runoff.server.store.submissions import IR_METADATA, StoredRun, load_run, save_entry, save_run_counts
from runoff.tables.run_metadata import public_metadata

if TYPE_CHECKING:
    from sqlalchemy import Connection


def choose_entry(database: Database, board: StoredBoard, actor: Actor, run_id: int, *, now: datetime) -> StoredRun:
    """Let a scored run represent its team, while the board is open."""
    with database.read() as connection:
        run = load_run(connection, run_id)
    if run.board_id != board.id:
        raise NotFoundError(f"there is no run {run_id} on board {board.slug!r}")
    require(actor, "submit run", Thing(team=run.team_id))
    if not can_choose(board, run, now):
        raise ConflictError(f"run {run.name!r} cannot be chosen now: a scored run can, while the board is open")
    database.write(lambda connection: save_entry(connection, run, actor=int(actor.id or 0), now=now))
    return run


def can_choose(board: StoredBoard, run: StoredRun, now: datetime) -> bool:
    """Whether a run can be chosen: afterwards, who knows the private results could choose by them."""
    return board.is_open(now) and run.state == "scored" and not run.baseline


def shown_metadata(viewer: Actor, board: StoredBoard, run: StoredRun, now: datetime) -> dict[str, Any]:
    """What the header of a run file says: all of it for those who may have the file, and a part for everybody else.

    It tells who made the run, so where the viewer may not know the team it is empty.
    """
    header = run.metadata.get(IR_METADATA, {})
    if may(viewer, "download run", Thing(team=run.team_id)):
        return dict(header)
    return public_metadata(header) if sees_team(viewer, board, run, now) else {}


def may_choose(actor: Actor, board: StoredBoard, run: StoredRun, now: datetime) -> bool:
    """Whether somebody is offered the choice."""
    return can_choose(board, run, now) and may(actor, "submit run", Thing(team=run.team_id))


def change_run_counts(database: Database, run_id: int, *, counts: bool, actor: Actor, now: datetime) -> None:
    """Let a run count for the submission rule or not, as an organiser."""
    require(actor, "manage board")
    database.write(
        lambda connection: save_run_counts(connection, run_id, counts=counts, actor=int(actor.id or 0), now=now)
    )


STATUS: Final = {
    "queued": "It is waiting to be scored. This page will show the result.",
    "scoring": "It is being scored. This page will show the result.",
    "scored": "It has been read and scored.",
    "rejected": "It was rejected and does not count towards the quota. Fix the file and send it again.",
}
GIVEN_UP: Final = "It could not be scored and does not count towards the quota."
WAITS: Final = "Whether its scores are shown is decided when all earlier runs are scored."
HELD: Final = (
    "It does not beat the best shown run of the team by more than noise, so its scores are not shown and the best "
    "score of the team stays. This rule keeps teams from gaining by chance with many submissions."
)


@dataclass(frozen=True, kw_only=True)
class RunWords:
    """A run in words, for one viewer.

    status        what its state means
    verdict       against the record of its day; None while there is none, or for whom it is not
    sentence      the verdict in a sentence, with the digits of the board; empty without one
    decided       whether there is a verdict, also one that is not for the viewer
    is_protected  whether it is on labels that are hidden from the viewer
    """

    status: str
    verdict: StoredVerdict | None
    sentence: str
    decided: bool
    is_protected: bool


def load_run_words(
    connection: Connection, board: StoredBoard, run: StoredRun, *, viewer: Actor, now: datetime
) -> RunWords:
    """A run in words; whether the viewer may see the run at all is not asked here."""
    decided = next(iter(load_verdicts(connection, board.id, run_id=run.id)), None)
    verdict = decided if decided is not None and sees_scores(viewer, run) else None
    if verdict is not None and not sees_verdict(viewer, board, verdict.computation_version):
        verdict = None
    if verdict is not None and verdict.champion_id is not None:
        # It names the record of its day, which may be under embargo.
        verdict = verdict if sees_run(viewer, load_run(connection, verdict.champion_id), now) else None
    hides = False
    if verdict is not None:
        sets = {version.id: version for version in load_query_sets(connection, board.id)}
        hides = is_protected(viewer, board, sets[verdict.query_set_id])
    return RunWords(
        status=_status(run, now, is_decided=decided is not None),
        verdict=verdict,
        sentence="" if verdict is None else _sentence(connection, board, verdict, protected=hides),
        decided=decided is not None,
        is_protected=hides,
    )


def _sentence(connection: Connection, board: StoredBoard, verdict: StoredVerdict, *, protected: bool) -> str:
    """The verdict in a sentence; the stored one has counts of queries, which are not shown of hidden labels."""
    if verdict.champion_id is not None and verdict.spoken and protected:
        champion = load_run(connection, verdict.champion_id)
        return f"Against {champion.name}, the record of its day: {verdict.spoken}."
    return rounded_text(verdict.sentence, board.digits)


def _status(run: StoredRun, now: datetime, *, is_decided: bool) -> str:
    if run.state == "scored" and run.held:
        return f"{STATUS[run.state]} {HELD if is_decided else WAITS}"
    if run.state == "rejected" and tuple(run.problems) == (FAULT,):
        return GIVEN_UP
    sentences = [STATUS[run.state]]
    if run.embargo_until is not None and now < run.embargo_until:
        sentences.append(f"Others see it from {run.embargo_until:%Y-%m-%d} (UTC).")
    if run.anonymous and run.anonymous_until is not None and now < run.anonymous_until:
        sentences.append(f"Its team is named from {run.anonymous_until:%Y-%m-%d} (UTC).")
    return " ".join(sentences)
