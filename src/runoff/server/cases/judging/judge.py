"""Judging, for assessors: get a task with its texts, choose, undo, finish, leave, and the pay."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal

from runoff.errors import ConflictError, NotFoundError
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.judging.enter import consent_hash, is_outdated, is_without_account, require_no_stake
from runoff.server.cases.judging.known_pairs import remove_bad_pairs
from runoff.server.cases.judging.next_pairs import may_have_more, plan_due_tasks
from runoff.server.store.campaign_links import load_entries
from runoff.server.store.campaign_pools import load_both_texts
from runoff.server.store.campaigns import Campaign, load_campaign, load_campaign_by_slug, load_campaigns
from runoff.server.store.database import Database
from runoff.server.store.judging import (
    Assignment,
    Taken,
    TaskTimes,
    finish_assignment,
    load_answers,
    load_assignment,
    load_held,
    load_pairs,
    load_task_times,
    return_assignment,
    take_task,
)
from runoff.server.store.judgments import save_judgment, save_undo
from runoff.server.store.models.campaigns import Answer, AssignmentState, Side
from runoff.server.store.participation import (
    Completion,
    Participation,
    load_completions,
    load_participation,
    load_unpaid,
    save_completion,
    save_stopped,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from runoff.server.store.people import Person

LONGEST_SECONDS: Final = 86_400.0
"""A choice is never counted with more."""
OfferState = Literal["given", "wait", "nothing", "paused", "closed", "left", "stopped", "no consent", "new consent"]


@dataclass(frozen=True, kw_only=True)
class SheetPair:
    """A pair as an assessor sees it; nothing tells a test pair. Texts are ids where the campaign has none."""

    id: int
    place: int
    query: str
    left: str
    right: str
    answer: Answer | None


@dataclass(frozen=True, kw_only=True)
class TaskSheet:
    """A task in the hands of an assessor, with the answers that stand."""

    assignment: Assignment
    pairs: tuple[SheetPair, ...]

    @property
    def next_pair(self) -> SheetPair | None:
        """The first pair without an answer."""
        return next((pair for pair in self.pairs if pair.answer is None), None)


@dataclass(frozen=True, kw_only=True)
class TaskOffer:
    """What an assessor gets: a task (`given`), or why there is none.

    wait     others are at work, and what is to be judged next depends on them
    nothing  everything that this assessor could do is done
    new consent  they agreed to an older text, and have to read the new one
    """

    state: OfferState
    sheet: TaskSheet | None = None


def offer_task(database: Database, campaign: int | str, *, actor: Actor, now: datetime) -> TaskOffer:
    """The task that an assessor holds, or the next one; tasks whose time is over go to somebody else.

    campaign  its number, or its name in addresses
    """
    require(actor, "judge")
    person_id = int(actor.id or 0)

    # Each statement is a way to PostgreSQL and back, and a hundred assessors may ask at once: so nothing is read twice.
    def take(connection: Connection) -> tuple[Campaign, Taken]:
        load = load_campaign_by_slug if isinstance(campaign, str) else load_campaign
        own = load(connection, campaign)  # type: ignore[arg-type]
        require_no_stake(connection, own.id, person_id)
        return own, take_task(connection, own, person_id, consent_hash=consent_hash(own), now=now)

    own, taken = database.write_small(take)
    state = _reason(own, taken.part)
    if taken.assignment is None and state == "wait" and plan_due_tasks(database, own.id):
        own, taken = database.write_small(take)
        state = _reason(own, taken.part)
    if taken.assignment is None and state != "wait":
        return TaskOffer(state=state)
    if taken.assignment is None:
        return TaskOffer(state="wait" if may_have_more(database, own.id) else "nothing")
    with database.read() as connection:
        return TaskOffer(state="given", sheet=load_sheet(connection, own, taken.assignment, is_new=taken.is_new))


def load_sheet(
    connection: Connection, campaign: Campaign, assignment: Assignment, *, is_new: bool = False
) -> TaskSheet:
    """A task with its texts and the answers that stand; one that is new has none."""
    pairs, answers = load_pairs(connection, assignment), {} if is_new else load_answers(connection, assignment)
    docs = [doc for pair in pairs for doc in (pair.left_doc, pair.right_doc)]
    queries, texts = load_both_texts(connection, campaign.id, [pair.query_id for pair in pairs], docs)
    return TaskSheet(
        assignment=assignment,
        pairs=tuple(
            SheetPair(
                id=pair.id,
                place=pair.place,
                query=queries.get(pair.query_id, pair.query_id),
                left=texts.get(pair.left_doc, pair.left_doc),
                right=texts.get(pair.right_doc, pair.right_doc),
                answer=answers.get(pair.id),
            )
            for pair in pairs
        ),
    )


def choose(
    database: Database,
    assignment_id: int,
    pair_id: int,
    side: Side,
    *,
    claimed: float | None = None,
    retry_key: str | None = None,
    actor: Actor,
    now: datetime,
) -> None:
    """Save a choice with its time; sent again with the same key it is one choice.

    claimed  the seconds that the assessor's browser counted; None if it counts none
    """
    require(actor, "judge")
    person_id = int(actor.id or 0)

    # One transaction: a second one would cost more than all its statements.
    def work(connection: Connection) -> None:
        seconds = counted_seconds(load_task_times(connection, assignment_id, person_id), claimed, now)
        save_judgment(
            connection, assignment_id, pair_id, side, person_id=person_id, seconds=seconds, retry_key=retry_key, now=now
        )

    database.write_small(work)


def counted_seconds(times: TaskTimes, claimed: float | None, now: datetime) -> float:
    """The seconds that a choice is counted with: what the browser claims, within what the server's clock allows.

    A browser shows pairs before the server hears of the last choice, and sends several at once after a break of the
    connection. So its own time is taken, but the times of a task together are never longer than the task has been in
    its assessor's hands: nobody who answers fast can claim to have been slow. Without a claim it is the time since the
    choice before.

    >>> from datetime import UTC, timedelta
    >>> given = datetime(2026, 3, 15, 12, 0, tzinfo=UTC)
    >>> times = TaskTimes(given_at=given, last_at=given + timedelta(seconds=8), seconds=8.0)
    >>> [counted_seconds(times, claimed, given + timedelta(seconds=20)) for claimed in (5.0, 99.0, None)]
    [5.0, 12.0, 12.0]
    """
    if claimed is None:
        seconds = (now - (times.last_at or times.given_at)).total_seconds()
    else:
        seconds = min(claimed, (now - times.given_at).total_seconds() - times.seconds)
    return max(0.0, min(seconds, LONGEST_SECONDS))


def take_back(
    database: Database, assignment_id: int, *, retry_key: str | None = None, actor: Actor, now: datetime
) -> int | None:
    """Take back the last choice that stands, and return its pair; None if there is none."""
    require(actor, "judge")
    person_id = int(actor.id or 0)
    return database.write_small(
        lambda connection: save_undo(connection, assignment_id, person_id=person_id, retry_key=retry_key, now=now)
    )


def finish_task(database: Database, assignment_id: int, *, actor: Actor, now: datetime) -> AssignmentState:
    """End a task whose pairs are all answered: done, or discarded if a test pair was failed.

    A test pair that nearly everybody fails is switched off here, and what people lost by it is restored.
    """
    require(actor, "judge")

    def work(connection: Connection) -> AssignmentState:
        assignment = load_assignment(connection, assignment_id, lock=True)
        if assignment.person_id != actor.id:
            raise ConflictError(f"assignment {assignment_id} is somebody else's; ask for a task of your own")
        # A second click on the same button is not an error.
        if assignment.state in {"done", "discarded"}:
            return assignment.state
        require_no_stake(connection, assignment.campaign_id, assignment.person_id)
        state = finish_assignment(connection, assignment, now=now)
        if state == "discarded" and remove_bad_pairs(connection, assignment.campaign_id, now=now):
            return load_assignment(connection, assignment_id).state
        return state

    return database.write_small(work)


def leave(database: Database, campaign_id: int, *, actor: Actor, now: datetime) -> Completion | None:
    """Stop judging: a task that is held goes to somebody else, and what was done since the last code is paid.

    Tasks that are done are paid in full, those that are left by the share that was answered, discarded ones not. Asked
    again, the last code is returned; None for somebody who has done nothing at all.
    """
    require(actor, "judge")
    person_id = int(actor.id or 0)

    def work(connection: Connection) -> Completion | None:
        campaign = load_campaign(connection, campaign_id)
        part = load_participation(connection, campaign_id, person_id, lock=True)
        if part is None:
            raise ConflictError("you are not taking part in this campaign")
        held = load_held(connection, campaign_id, person_id)
        if held is not None:
            return_assignment(connection, held.id, now=now)
        if part.left_at is None:
            save_stopped(connection, campaign_id, person_id, left=True, now=now)
        if not load_unpaid(connection, campaign_id, person_id):
            earlier = load_completions(connection, campaign_id, person_id=person_id)
            return earlier[-1] if earlier else None
        entries = load_entries(connection, campaign_id, person_id=person_id)
        reference = entries[-1].reference if entries else ""
        code = secrets.token_hex(8).upper()
        return save_completion(
            connection, campaign_id, person_id, code=code, reference=reference, rate=campaign.pay, now=now
        )

    return database.write(work)


def _reason(campaign: Campaign, part: Participation | None) -> OfferState:
    """Why somebody has no task; `wait` where more may come."""
    state: DeskState = "no consent" if part is None else _state(campaign, part)
    if state == "ready":
        return "wait" if campaign.way == "sequential" else "nothing"
    return "closed" if state == "draft" else state


DeskState = Literal["no consent", "new consent", "given", "ready", "draft", "paused", "closed", "left", "stopped"]


@dataclass(frozen=True, kw_only=True)
class Desk:
    """A campaign as one assessor finds it.

    state        `given`: a task is in their hands; `ready`: they may ask for one; `new consent`: they agreed to an
                 older text, and have to read the new one first
    sheet        the task in their hands
    tasks        tasks done since the last code
    is_owed      whether there is work that no code tells of yet, discarded work among it
    due          what leaving now would pay: tasks done, and the answered share of the one in their hands
    completions  codes so far, the oldest first
    """

    campaign: Campaign
    state: DeskState
    sheet: TaskSheet | None = None
    tasks: int = 0
    is_owed: bool = False
    due: float = 0.0
    completions: tuple[Completion, ...] = ()


def load_desk(connection: Connection, slug: str, *, person: Person, actor: Actor) -> Desk:
    """What somebody finds in a campaign; for those who were not asked in it is not there."""
    require(actor, "judge")
    campaign = load_campaign_by_slug(connection, slug)
    part = load_participation(connection, campaign.id, person.id)
    if part is None:
        if not _is_welcome(connection, campaign, person):
            raise NotFoundError(f"there is no campaign {slug[:60]!r}")
        return Desk(campaign=campaign, state="no consent")
    held = load_held(connection, campaign.id, person.id)
    sheet = None if held is None else load_sheet(connection, campaign, held)
    work = load_unpaid(connection, campaign.id, person.id)
    due = sum(one.pay(campaign.pay) for one in work)
    if sheet is not None:
        due += campaign.pay * sum(pair.answer is not None for pair in sheet.pairs) / len(sheet.pairs)
    return Desk(
        campaign=campaign,
        state="given" if sheet is not None else _state(campaign, part),
        sheet=sheet,
        tasks=sum(one.state == "done" for one in work),
        is_owed=bool(work),
        due=round(due, 2),
        completions=load_completions(connection, campaign.id, person_id=person.id),
    )


def load_own_campaigns(connection: Connection, *, person: Person, actor: Actor) -> tuple[Campaign, ...]:
    """The campaigns that somebody takes part in or may, the oldest first."""
    require(actor, "judge")
    return tuple(
        campaign
        for campaign in load_campaigns(connection)
        if load_participation(connection, campaign.id, person.id) is not None
        or (campaign.state != "closed" and _is_welcome(connection, campaign, person))
    )


def _is_welcome(connection: Connection, campaign: Campaign, person: Person) -> bool:
    """Whoever came in by a link, and people with an account; who has come for another campaign only, is not."""
    if load_entries(connection, campaign.id, person_id=person.id) or person.role == "organiser":
        return True
    return campaign.state != "draft" and not is_without_account(person)


def _state(campaign: Campaign, part: Participation) -> DeskState:
    if part.stopped_at is not None:
        return "stopped"
    if part.left_at is not None:
        return "left"
    if campaign.state != "open":
        return campaign.state
    return "new consent" if is_outdated(part, campaign) else "ready"
