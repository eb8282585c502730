"""Submitted runs, taken within the quota of team and people, their states, the entries of teams, and their mail."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection, func, insert, select, update

from runoff.errors import ConflictError, NotFoundError, QuotaError, UsageError
from runoff.server.store._rows import add, many, maybe, note, one
from runoff.server.store.boards import StoredBoard, load_board
from runoff.server.store.jobs import Job, save_job
from runoff.server.store.models.accounts import PERSON, TEAM, TEAM_MEMBER
from runoff.server.store.models.boards import ENTRY, RUN, RUN_MEMBER, RunState
from runoff.server.store.names import clean_name
from runoff.server.store.people import IMPORTER, load_person

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, kw_only=True)
class Quota:
    """What a team has used of the rule in the window that ends today: as much as its member who has used most.

    member           the name of that member, where the team itself has used less
    free_at          when the next submission can be made: now, or the midnight (UTC) at which one leaves the window
    variant_free_at  the same for a small variation; None if the board takes none
    """

    used: int
    most: int
    variants_used: int
    variants: int
    free_at: datetime
    variant_free_at: datetime | None
    member: str | None = None

    @property
    def left(self) -> int:
        """Submissions that are left now."""
        return max(0, self.most - self.used)


def load_quota(connection: Connection, board: StoredBoard, team_id: int, now: datetime) -> Quota:
    """What a team has used and has left; `runoff.boards.submissions` counts the same way, by days in UTC.

    A run counts for its team and for everybody who was in the team when it was sent, in whatever team they are now. So
    the runs of a board are never more than the rule gives to each person, however many teams these people make.
    """
    # The window begins at a midnight (UTC).
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    first_day = midnight - timedelta(days=board.window_days - 1)
    recent = (RUN.c.board_id == board.id) & RUN.c.counts & (RUN.c.submitted_at >= first_day)
    runs = select(RUN.c.submitted_at, RUN.c.variant_of).where(recent).order_by(RUN.c.submitted_at)
    rows_of_team = connection.execute(runs.where(RUN.c.team_id == team_id)).all()
    quota = _quota_of(rows_of_team, board, now)
    of_members = (
        runs.add_columns(PERSON.c.id, PERSON.c.display_name)
        .join(RUN_MEMBER, RUN_MEMBER.c.run_id == RUN.c.id)
        .join(TEAM_MEMBER, TEAM_MEMBER.c.person_id == RUN_MEMBER.c.person_id)
        .join(PERSON, PERSON.c.id == RUN_MEMBER.c.person_id)
        .where(TEAM_MEMBER.c.team_id == team_id)
    )
    rows_of_members: dict[int, list[Any]] = {}
    for row in connection.execute(of_members):
        rows_of_members.setdefault(row.id, []).append(row)
    for rows in rows_of_members.values():
        quota = _tighter(quota, _quota_of(rows, board, now, member=rows[0].display_name))
    return quota


def _quota_of(rows: Sequence[Any], board: StoredBoard, now: datetime, *, member: str | None = None) -> Quota:
    """The quota of one team or person, from their runs in the window, in the order of submission."""
    times = [row.submitted_at for row in rows]
    variant_times = [row.submitted_at for row in rows if row.variant_of is not None]
    free_at = _free_at(times, board.most, board.window_days, now) or now
    variant_free_at = _free_at(variant_times, board.variants, board.window_days, now)
    return Quota(
        used=len(times),
        most=board.most,
        variants_used=len(variant_times),
        variants=board.variants,
        free_at=free_at,
        variant_free_at=None if variant_free_at is None else max(variant_free_at, free_at),
        member=member,
    )


def _tighter(first: Quota, second: Quota) -> Quota:
    """What two quotas leave together; the member of the second is named where it leaves less."""
    # Both are None on a board without variations, or neither is.
    variant_times = [quota.variant_free_at for quota in (first, second) if quota.variant_free_at is not None]
    return replace(
        first,
        used=max(first.used, second.used),
        variants_used=max(first.variants_used, second.variants_used),
        free_at=max(first.free_at, second.free_at),
        variant_free_at=max(variant_times) if variant_times else None,
        member=second.member if second.used > first.used else first.member,
    )


def check_quota(connection: Connection, board: StoredBoard, team_id: int, *, variant: bool, now: datetime) -> None:
    """Raise `QuotaError` unless the rule leaves one more submission; to be called with `_lock`."""
    quota = load_quota(connection, board, team_id, now)
    window = f"in any {board.window_days} days"
    who, together = ("the team", "") if quota.member is None else (quota.member, " in all their teams together")
    if quota.used >= quota.most:
        raise QuotaError(
            f"{who} has used {quota.used} of the {quota.most} submissions that board {board.slug!r} takes {window}"
            f"{together}; the next can be made from {quota.free_at:%Y-%m-%d} (UTC)",
            free_at=quota.free_at,
        )
    if variant and quota.variants_used >= quota.variants:
        when = quota.variant_free_at
        rest = f"the next can be made from {when:%Y-%m-%d} (UTC)" if when else "send a run that is not a variation"
        raise QuotaError(
            f"the team and its members have used {quota.variants_used} of the {quota.variants} small variations that "
            f"board {board.slug!r} takes {window}; {rest}",
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


SCORE: Final = "score"
IR_METADATA: Final = "ir_metadata"
"""Where the header of a run file is among the metadata of the run."""
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

    The team's row and those of its members are locked first, so that of two submissions at once the second sees the
    first when the rule is checked.
    """
    board = load_board(connection, new.board_id)
    people = _lock(connection, new)
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
    clash = f"the team already has a run {row['name']!r} on this board; choose another name"
    held = board.release == "ladder" and not new.baseline
    number = add(connection, RUN, clash, state="queued", counts=not new.baseline, problems=[], held=held, **row)
    if people:
        connection.execute(insert(RUN_MEMBER), [{"run_id": number, "person_id": person_id} for person_id in people])
    save_job(connection, SCORE, f"{SCORE}:{number}", {"run_id": number}, now=now)
    note(connection, "submit", "run", number, actor=new.submitted_by, now=now, sha256=new.content_hash, size=new.size)
    return load_run(connection, number)


def _lock(connection: Connection, new: NewRun) -> tuple[int, ...]:
    """Lock the team of a run and everybody for whom it counts, and return these; nobody for runs of an import."""
    team = select(TEAM.c.id).where(TEAM.c.id == new.team_id).with_for_update(key_share=True)
    if connection.execute(team).one_or_none() is None:
        raise NotFoundError(f"there is no team {new.team_id}")
    members = select(TEAM_MEMBER.c.person_id).where(TEAM_MEMBER.c.team_id == new.team_id)
    involved = PERSON.c.id.in_(members) | (PERSON.c.id == new.submitted_by)
    # In the same order everywhere, so that two teams with the same people do not wait for each other.
    people = select(PERSON.c.id).where(involved, PERSON.c.email != IMPORTER).order_by(PERSON.c.id)
    return tuple(connection.execute(people.with_for_update(key_share=True)).scalars())


def load_run_members(connection: Connection, board_id: int) -> dict[int, frozenset[int]]:
    """For whom each run of a board counts, by number of the run; without those that came with the board."""
    query = select(RUN_MEMBER.c.run_id, RUN_MEMBER.c.person_id).join(RUN, RUN.c.id == RUN_MEMBER.c.run_id)
    people: dict[int, set[int]] = {}
    for run_id, person_id in connection.execute(query.where(RUN.c.board_id == board_id)):
        people.setdefault(run_id, set()).add(person_id)
    return {run_id: frozenset(ids) for run_id, ids in people.items()}


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
        raise ConflictError(f"run {run_id} was {run.state} and has since changed; look at it again")
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
        raise ConflictError(f"board {board.slug!r} is not taking submissions now; see when it opens and closes")
    if new.size > board.upload_limit:
        raise UsageError(f"the run has {new.size:,} bytes; board {board.slug!r} takes {board.upload_limit:,} at most")
    own = (RUN.c.board_id == new.board_id) & (RUN.c.team_id == new.team_id)
    same = select(RUN.c.name).where(own, RUN.c.content_hash == new.content_hash, RUN.c.state != "rejected")
    earlier_name = connection.execute(same.limit(1)).scalar_one_or_none()
    if earlier_name is not None:
        raise ConflictError(f"the team has already submitted this file, as {earlier_name!r}")
    if new.variant_of is not None and maybe(connection, StoredRun, RUN, own, RUN.c.id == new.variant_of) is None:
        raise UsageError(f"variant_of={new.variant_of} is not a run of this team on this board")


def save_entry(connection: Connection, run: StoredRun, *, actor: int, now: datetime) -> None:
    """Let a run represent its team; the earlier choices stay in the table."""
    row = {"board_id": run.board_id, "team_id": run.team_id, "run_id": run.id, "chosen_by": actor, "chosen_at": now}
    connection.execute(insert(ENTRY).values(**row))
    note(connection, "choose entry", "run", run.id, actor=actor, now=now)


def load_entries(connection: Connection, board_id: int) -> dict[int, int]:
    """The run that each team of a board chose last, by number of the team; without those that chose none."""
    last = select(func.max(ENTRY.c.id)).where(ENTRY.c.board_id == board_id).group_by(ENTRY.c.team_id)
    rows = connection.execute(select(ENTRY.c.team_id, ENTRY.c.run_id).where(ENTRY.c.id.in_(last)))
    return {row.team_id: row.run_id for row in rows}


MAIL: Final = "mail"
"""The kind of a job that sends one mail."""
MOST_ATTEMPTS: Final = 60
"""With the usual waits, up to half an hour each, about a day."""


def save_run_mail(connection: Connection, run: StoredRun, cause: Job, *, now: datetime) -> Job | None:
    """Queue the mail about a run, in the transaction of its end; None for runs that came with a board.

    cause  the job that ended: a run that is scored again after a fault of the server gets another mail

    No address and no text is in the job; both are looked up when the mail is sent.
    """
    if run.baseline or load_person(connection, run.submitted_by).email == IMPORTER:
        return None
    key = f"{MAIL}:run:{run.id}:{cause.id}:{cause.fence}"
    payload = {"run_id": run.id, "state": run.state}
    return save_job(connection, MAIL, key, payload, now=now, most_attempts=MOST_ATTEMPTS)


def save_link_mail(connection: Connection, link_id: int, *, now: datetime) -> Job:
    """Queue the mail with a one-time link, in the transaction that makes the link."""
    key, payload = f"{MAIL}:link:{link_id}", {"link_id": link_id}
    return save_job(connection, MAIL, key, payload, now=now, most_attempts=MOST_ATTEMPTS)
