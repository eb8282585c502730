"""Runs that teams submit: taken within the rule, or refused; queued for scoring in the same transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, select, update

from runoff.errors import ConflictError, NotFoundError, UsageError
from runoff.server.store._rows import add, many, maybe, note, one
from runoff.server.store.boards import StoredBoard, load_board
from runoff.server.store.jobs import save_job
from runoff.server.store.models.people import TEAM
from runoff.server.store.models.runs import RUN, RunState
from runoff.server.store.names import clean_name
from runoff.server.store.quotas import check_quota

SCORE: Final = "score"
# From which state to which a run can go.
_STEPS: Final[Mapping[RunState, tuple[RunState, ...]]] = {
    "queued": ("scoring", "rejected"),
    "scoring": ("queued", "scored", "rejected"),
    "scored": (),
    "rejected": (),
}


@dataclass(frozen=True, kw_only=True)
class NewRun:
    """A run to be submitted; its file is in the file store already.

    submission_key  drawn by the sender: a request that is sent twice makes one submission
    variant_of      the number of the team's run of which this one is a small variation
    baseline        a run of the organisers; it is outside the rule
    anonymous       the team is not named for this run
    anonymous_until the team is named from then on; None: from when the board names teams, if it has a day for that
    embargo_until   the run is shown to its team alone until then
    """

    board_id: int
    team_id: int
    submitted_by: int
    submission_key: str
    name: str
    content_hash: str
    size: int
    description: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    variant_of: int | None = None
    baseline: bool = False
    anonymous: bool = False
    anonymous_until: datetime | None = None
    embargo_until: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class StoredRun(NewRun):
    """A run of the store.

    counts  whether it counts for the rule of submissions: a rejected one does not
    held    whether the release rule of the board keeps its scores back, also from its team
    """

    id: int
    submitted_at: datetime
    state: RunState
    counts: bool
    problems: Sequence[str]
    scored_at: datetime | None
    held: bool

    def is_published(self, now: datetime) -> bool:
        """Whether others than its team may see it."""
        return self.state == "scored" and not self.held and (self.embargo_until is None or now >= self.embargo_until)


def save_run(connection: Connection, new: NewRun, *, now: datetime) -> StoredRun:
    """Take a submission, queue it for scoring, and return it; the same request again returns the same run.

    The team's row is locked first, so that of two submissions at once the second sees the first when the rule is
    checked.
    """
    board = load_board(connection, new.board_id)
    lock = select(TEAM.c.id).where(TEAM.c.id == new.team_id).with_for_update(key_share=True)
    if connection.execute(lock).one_or_none() is None:
        raise NotFoundError(f"there is no team {new.team_id}")
    own = (RUN.c.board_id == new.board_id) & (RUN.c.team_id == new.team_id)
    again = maybe(connection, StoredRun, RUN, own, RUN.c.submission_key == new.submission_key)
    if again is not None:
        if again.content_hash != new.content_hash:
            raise ConflictError(f"submission key {new.submission_key!r} was used for another file; draw a new one")
        return again
    _check(connection, board, new, now)
    if not new.baseline:
        check_quota(connection, board, new.team_id, variant=new.variant_of is not None, now=now)
    row = {name: getattr(new, name) for name in NewRun.__dataclass_fields__}
    row |= {"name": clean_name(new.name), "metadata": dict(new.metadata), "submitted_at": now}
    clash = f"the team has a run {row['name']!r} on this board already; choose another name"
    held = board.release == "ladder" and not new.baseline
    number = add(connection, RUN, clash, state="queued", counts=not new.baseline, problems=[], held=held, **row)
    save_job(connection, SCORE, f"{SCORE}:{number}", {"run_id": number}, now=now)
    note(connection, "submit", "run", number, actor=new.submitted_by, now=now, sha256=new.content_hash, size=new.size)
    return load_run(connection, number)


def save_run_state(
    connection: Connection, run_id: int, state: RunState, *, problems: Sequence[str] = (), now: datetime
) -> StoredRun:
    """Move a run on: queued, scoring, scored or rejected; a rejected run gives the team its submission back."""
    run = load_run(connection, run_id)
    if state not in _STEPS[run.state]:
        raise ConflictError(f"run {run_id} is {run.state} and cannot become {state}")
    row: dict[str, Any] = {"state": state, "problems": list(problems)}
    if state == "rejected":
        row["counts"] = False
    if state == "scored":
        row["scored_at"] = now
    step = update(RUN).where(RUN.c.id == run_id, RUN.c.state == run.state).values(**row)
    if connection.execute(step).rowcount != 1:
        raise ConflictError(f"run {run_id} was {run.state} and has changed meanwhile; look at it again")
    note(connection, state, "run", run_id, actor=None, now=now, problems=len(problems))
    return load_run(connection, run_id)


def save_run_again(connection: Connection, run_id: int, *, actor: int | None, now: datetime) -> StoredRun:
    """Let a run that was rejected by a fault of the server be scored again; it counts for the rule again."""
    run = load_run(connection, run_id)
    rejected = (RUN.c.id == run_id) & (RUN.c.state == "rejected")
    again = update(RUN).where(rejected).values(state="queued", problems=[], counts=not run.baseline)
    if connection.execute(again).rowcount != 1:
        raise ConflictError(f"run {run_id} is {run.state}, not rejected; look at it again")
    note(connection, "queue again", "run", run_id, actor=actor, now=now)
    return load_run(connection, run_id)


def save_run_counts(connection: Connection, run_id: int, *, counts: bool, actor: int | None, now: datetime) -> None:
    """Let a run count for the rule or not; organisers do so when a submission was lost by their fault."""
    load_run(connection, run_id)
    connection.execute(update(RUN).where(RUN.c.id == run_id).values(counts=counts))
    note(connection, "set counts", "run", run_id, actor=actor, now=now, counts=counts)


def save_run_shown(connection: Connection, run_id: int, *, now: datetime) -> None:
    """Show the scores of a run that was held back: the release rule lets it pass."""
    connection.execute(update(RUN).where(RUN.c.id == run_id).values(held=False))
    note(connection, "show", "run", run_id, actor=None, now=now)


def save_all_shown(connection: Connection, board_id: int) -> None:
    """Show the scores of every run of a board: it has no release rule any more."""
    connection.execute(update(RUN).where(RUN.c.board_id == board_id, RUN.c.held).values(held=False))


def load_run(connection: Connection, run_id: int) -> StoredRun:
    """The run of a number."""
    return one(connection, StoredRun, RUN, RUN.c.id == run_id, what=f"run {run_id}")


def load_runs(
    connection: Connection,
    board_id: int,
    *,
    team_id: int | None = None,
    state: RunState | None = None,
    names: Collection[str] | None = None,
) -> tuple[StoredRun, ...]:
    """The runs of a board, or of a team on it, in the order of submission; who may see which is not asked here."""
    where = [RUN.c.board_id == board_id]
    where += [] if names is None else [RUN.c.name.in_(names)]
    where += [] if team_id is None else [RUN.c.team_id == team_id]
    where += [] if state is None else [RUN.c.state == state]
    return many(connection, StoredRun, RUN, *where, order=[RUN.c.submitted_at, RUN.c.id])


def _check(connection: Connection, board: StoredBoard, new: NewRun, now: datetime) -> None:
    if not (new.baseline or board.is_open(now)):
        raise ConflictError(f"board {board.slug!r} takes no submissions now; see when it opens and closes")
    if new.size > board.upload_limit:
        raise UsageError(f"the run has {new.size:,} bytes; board {board.slug!r} takes {board.upload_limit:,} at most")
    own = (RUN.c.board_id == new.board_id) & (RUN.c.team_id == new.team_id)
    same = select(RUN.c.name).where(own, RUN.c.content_hash == new.content_hash, RUN.c.state != "rejected")
    found = connection.execute(same.limit(1)).scalar_one_or_none()
    if found is not None:
        raise ConflictError(f"the team has submitted this very file already, as {found!r}")
    if new.variant_of is not None and maybe(connection, StoredRun, RUN, own, RUN.c.id == new.variant_of) is None:
        raise UsageError(f"variant_of={new.variant_of} is no run of this team on this board")
