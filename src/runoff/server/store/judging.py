"""Tasks of assessors: which is given to whom, its pairs and how long they take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Integer, and_, bindparam, exists, func, or_, select, true, update

from runoff.errors import ConflictError, NotFoundError
from runoff.server.store._rows import add, columns, note, values
from runoff.server.store.campaigns import Campaign
from runoff.server.store.judgments import load_answer_turns
from runoff.server.store.models.campaigns import (
    ASSIGNMENT,
    JUDGMENT,
    KNOWN_PAIR,
    TASK,
    TASK_PAIR,
    Answer,
    AssignmentState,
)
from runoff.server.store.participation import (
    Participation,
    load_participation,
    save_reinstated,
    save_stopped,
    save_unpaid,
)


@dataclass(frozen=True, kw_only=True)
class TaskTimes:
    """When a task was given, when its last answer came, and the seconds of all answers, those taken back among them."""

    given_at: datetime
    last_at: datetime | None
    seconds: float


def load_task_times(connection: Connection, assignment_id: int, person_id: int) -> TaskTimes:
    """The times of an assessor's own task, in one statement."""
    row = connection.execute(_TIMES, {"own": assignment_id, "person": person_id}).one_or_none()
    if row is None:
        raise NotFoundError(f"there is no assignment {assignment_id} of person {person_id}")
    return TaskTimes(given_at=row[0], last_at=row[1], seconds=float(row[2]))


# Made once: every choice asks.
_TIMES: Final = (
    select(ASSIGNMENT.c.given_at, func.max(JUDGMENT.c.at), func.coalesce(func.sum(JUDGMENT.c.seconds), 0.0))
    .outerjoin(JUDGMENT, JUDGMENT.c.assignment_id == ASSIGNMENT.c.id)
    .where(
        ASSIGNMENT.c.id == bindparam("own", type_=Integer), ASSIGNMENT.c.person_id == bindparam("person", type_=Integer)
    )
    .group_by(ASSIGNMENT.c.id)
)


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """A task in the hands of an assessor."""

    id: int
    task_id: int
    campaign_id: int
    batch: int
    person_id: int
    state: AssignmentState
    given_at: datetime
    expires_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class TaskPair:
    """A pair as the assessor sees it: nothing tells a test pair."""

    id: int
    place: int
    query_id: str
    left_doc: str
    right_doc: str


@dataclass(frozen=True, kw_only=True)
class Taken:
    """What an assessor was given, if anything.

    part    how they take part; None before they have consented
    is_new  whether it was given just now
    """

    part: Participation | None
    assignment: Assignment | None = None
    is_new: bool = False


def take_task(
    connection: Connection, campaign: Campaign, person_id: int, *, consent_hash: str | None = None, now: datetime
) -> Taken:
    """The task that the assessor holds, or the next of the plan.

    consent_hash  of the text that they must have agreed to, where it is known what they agreed to; None for any

    Tasks whose time is over go back into the plan first. Nobody gets a batch, or in a sequential campaign a pair, that
    they had before.
    """
    # Locked, so that of two requests of one assessor at once the second sees what the first was given.
    part = load_participation(connection, campaign.id, person_id, lock=True)
    if part is None:
        return Taken(part=None)
    _return_overdue(connection, campaign.id, now)
    held = load_held(connection, campaign.id, person_id)
    if held is not None:
        return Taken(part=part, assignment=held)
    has_agreed = consent_hash is None or part.consent_hash in (None, consent_hash)
    if part.left_at or part.stopped_at or not has_agreed or campaign.state != "open":
        return Taken(part=part)
    query, row = _next_task(pairs_once=campaign.way == "sequential"), {"campaign": campaign.id, "person": person_id}
    task = connection.execute(query, row).one_or_none()
    if task is None:
        return Taken(part=part)
    return Taken(part=part, assignment=_given(connection, campaign, task, person_id, now), is_new=True)


def load_is_beyond(connection: Connection, campaign: Campaign, people: Iterable[int]) -> bool:
    """Whether no open task can be taken by any of some people, because they had its batch or its pairs before."""
    query = _open_task(pairs_once=campaign.way == "sequential")
    rows = ({"campaign": campaign.id, "person": person_id} for person_id in people)
    return all(connection.execute(query, row).first() is None for row in rows)


def _given(connection: Connection, campaign: Campaign, task: Any, person_id: int, now: datetime) -> Assignment:
    _set_task(connection, task.id, "given")
    row: dict[str, Any] = {"task_id": task.id, "campaign_id": campaign.id, "batch": task.batch, "person_id": person_id}
    row |= {"state": "given", "given_at": now, "expires_at": now + campaign.lease}
    number = add(connection, ASSIGNMENT, f"task {task.id} has since been given to somebody else; ask again", **row)
    note(connection, "give", "task", task.id, actor=person_id, now=now, assignment=number)
    return Assignment(id=number, ended_at=None, **row)


def load_assignment(connection: Connection, assignment_id: int, *, lock: bool = False) -> Assignment:
    """The assignment of a number; with `lock` nobody else changes it until the transaction ends."""
    row = connection.execute(_LOCKED if lock else _OF_NUMBER, {"own": assignment_id}).mappings().one_or_none()
    if row is None:
        raise NotFoundError(f"there is no assignment {assignment_id}")
    return Assignment(**row)


def load_pairs(connection: Connection, assignment: Assignment) -> tuple[TaskPair, ...]:
    """The pairs of an assignment, in order."""
    return values(connection.execute(_PAIRS, {"task": assignment.task_id}), TaskPair)


def load_answers(connection: Connection, assignment: Assignment) -> dict[int, Answer]:
    """The answers that stand: the preferred side by the number of the pair."""
    turns = load_answer_turns(connection, assignment.id)
    return {pair: preferred for pair, (_, preferred) in turns.items() if preferred is not None}


def finish_assignment(connection: Connection, assignment: Assignment, *, now: datetime) -> AssignmentState:
    """End an assignment whose pairs are all answered: done, or discarded if a test pair was failed.

    Who fails a test pair gets no more tasks, and the task goes back into the plan for somebody else. A test pair that
    organisers have removed since decides nothing.

    assignment  as it was loaded with `lock`
    """
    _require_given(assignment)
    answers = load_answers(connection, assignment)
    expected = _expected(connection, assignment)
    missing = len(expected.keys() - answers.keys())
    if missing:
        raise ConflictError(f"{missing} of {len(expected)} pairs have no answer yet; answer them first")
    failed = _has_failed(connection, assignment, answers, expected)
    if failed:
        save_stopped(connection, assignment.campaign_id, assignment.person_id, left=False, now=now)
    _end(connection, assignment, "discarded" if failed else "done", now)
    return "discarded" if failed else "done"


def save_restored(connection: Connection, campaign_id: int, *, actor: int | None, now: datetime) -> tuple[int, ...]:
    """Count the tasks that were discarded for nothing but test pairs removed since, and return whose they are.

    Their answers count and are paid with the next code, also where somebody else has done the same task meanwhile. Who
    was stopped for such a task gets tasks again.
    """
    restored = []
    for assignment in values(connection.execute(_DISCARDED, {"campaign": campaign_id}), Assignment):
        if _has_failed(connection, assignment, load_answers(connection, assignment), _expected(connection, assignment)):
            continue
        connection.execute(_SET_ASSIGNMENT, {"own": assignment.id, "state": "done", "ended_at": now})
        connection.execute(_SET_OPEN_TASK, {"own": assignment.task_id, "state": "done"})
        save_unpaid(connection, assignment.id)
        part = load_participation(connection, campaign_id, assignment.person_id)
        if part is not None and part.stopped_at == assignment.ended_at:
            save_reinstated(connection, campaign_id, assignment.person_id, actor=actor, now=now)
        note(connection, "restore", "task", assignment.task_id, actor=actor, now=now, assignment=assignment.id)
        restored.append(assignment.person_id)
    return tuple(dict.fromkeys(restored))


def _expected(connection: Connection, assignment: Assignment) -> dict[int, Answer | None]:
    """The right answer of each pair of a task that is a test, None of the others."""
    return {row.id: row.expected for row in connection.execute(_EXPECTED, {"task": assignment.task_id})}


def _has_failed(
    connection: Connection,
    assignment: Assignment,
    answers: Mapping[int, Answer],
    expected: Mapping[int, Answer | None],
) -> bool:
    """Whether a test pair that is still in use was failed."""
    wrong = {pair for pair, right in expected.items() if right is not None and answers.get(pair) != right}
    return bool(wrong) and not wrong <= _removed_tests(connection, assignment)


def return_assignment(connection: Connection, assignment_id: int, *, now: datetime) -> None:
    """Give a task back unfinished; its judgments stay in the store and count for nothing."""
    assignment = load_assignment(connection, assignment_id, lock=True)
    _require_given(assignment)
    _end(connection, assignment, "returned", now)


def _require_given(assignment: Assignment) -> None:
    """Refuse an assignment that is not in its assessor's hands any more."""
    if assignment.state != "given":
        raise ConflictError(f"assignment {assignment.id} is {assignment.state}; ask for another task")


def load_held(connection: Connection, campaign_id: int, person_id: int) -> Assignment | None:
    """The task that an assessor holds in a campaign, or None."""
    row = connection.execute(_HELD, {"campaign": campaign_id, "person": person_id}).mappings().one_or_none()
    return None if row is None else Assignment(**row)


def _return_overdue(connection: Connection, campaign_id: int, now: datetime) -> None:
    for assignment in values(connection.execute(_OVERDUE, {"campaign": campaign_id, "now": now}), Assignment):
        _end(connection, assignment, "returned", now)


def _removed_tests(connection: Connection, assignment: Assignment) -> set[int]:
    """The test pairs of a task that were removed after it was made."""
    row = {"campaign": assignment.campaign_id, "task": assignment.task_id}
    return set(connection.execute(_REMOVED, row).scalars())


def _end(connection: Connection, assignment: Assignment, state: AssignmentState, now: datetime) -> None:
    connection.execute(_SET_ASSIGNMENT, {"own": assignment.id, "state": state, "ended_at": now})
    _set_task(connection, assignment.task_id, "done" if state == "done" else "open")
    actor = assignment.person_id
    note(connection, state, "task", assignment.task_id, actor=actor, now=now, assignment=assignment.id)


def _set_task(connection: Connection, task_id: int, state: str) -> None:
    connection.execute(_SET_TASK, {"own": task_id, "state": state})


# The statements are made once: making one takes longer than the database takes to do it.
_OWN: Final = bindparam("own", type_=Integer)
_CAMPAIGN: Final = bindparam("campaign", type_=Integer)
_PERSON: Final = bindparam("person", type_=Integer)
_TASK: Final = bindparam("task", type_=Integer)
_ASSIGNMENTS: Final = select(*columns(Assignment, ASSIGNMENT))
_OF_NUMBER: Final = _ASSIGNMENTS.where(ASSIGNMENT.c.id == _OWN)
_LOCKED: Final = _OF_NUMBER.with_for_update()
_HELD: Final = _ASSIGNMENTS.where(
    ASSIGNMENT.c.campaign_id == _CAMPAIGN, ASSIGNMENT.c.person_id == _PERSON, ASSIGNMENT.c.state == "given"
).limit(1)
_OVERDUE: Final = _ASSIGNMENTS.where(
    ASSIGNMENT.c.campaign_id == _CAMPAIGN,
    ASSIGNMENT.c.state == "given",
    ASSIGNMENT.c.expires_at <= bindparam("now", type_=ASSIGNMENT.c.expires_at.type),
).with_for_update(skip_locked=True)
_DISCARDED: Final = (
    _ASSIGNMENTS.where(ASSIGNMENT.c.campaign_id == _CAMPAIGN, ASSIGNMENT.c.state == "discarded")
    .order_by(ASSIGNMENT.c.id)
    .with_for_update()
)
_SET_TASK: Final = update(TASK).where(TASK.c.id == _OWN)
_SET_OPEN_TASK: Final = _SET_TASK.where(TASK.c.state == "open")
_SET_ASSIGNMENT: Final = update(ASSIGNMENT).where(ASSIGNMENT.c.id == _OWN)
_PAIRS: Final = select(*columns(TaskPair, TASK_PAIR)).where(TASK_PAIR.c.task_id == _TASK).order_by(TASK_PAIR.c.place)
_EXPECTED: Final = select(TASK_PAIR.c.id, TASK_PAIR.c.expected).where(TASK_PAIR.c.task_id == _TASK)


def _same_docs(one: Any, other: Any) -> ColumnElement[bool]:
    """Whether two pairs hold the same documents, whatever side they are on."""
    straight = and_(one.left_doc == other.left_doc, one.right_doc == other.right_doc)
    return or_(straight, and_(one.left_doc == other.right_doc, one.right_doc == other.left_doc))


@cache
def _next_task(*, pairs_once: bool) -> Any:
    return _open_task(pairs_once=pairs_once).with_for_update(skip_locked=True, of=TASK)


@cache
def _open_task(*, pairs_once: bool) -> Any:
    """The first open task whose batch, or none of whose real pairs, the person was given before."""
    seen = exists().where(
        ASSIGNMENT.c.campaign_id == TASK.c.campaign_id,
        ASSIGNMENT.c.batch == TASK.c.batch,
        ASSIGNMENT.c.person_id == _PERSON,
    )
    had, own = TASK_PAIR.alias("had"), TASK_PAIR.alias("own")
    met = exists().where(
        ASSIGNMENT.c.campaign_id == _CAMPAIGN,
        ASSIGNMENT.c.person_id == _PERSON,
        had.c.task_id == ASSIGNMENT.c.task_id,
        own.c.task_id == TASK.c.id,
        own.c.expected.is_(None),
        had.c.query_id == own.c.query_id,
        _same_docs(had.c, own.c),
    )
    return (
        select(TASK.c.id, TASK.c.batch)
        .where(TASK.c.campaign_id == _CAMPAIGN, TASK.c.state == "open", ~seen)
        .where(~met if pairs_once else true())
        .order_by(TASK.c.copy, TASK.c.batch)
        .limit(1)
    )


_REMOVED: Final = (
    select(TASK_PAIR.c.id)
    .join(KNOWN_PAIR, KNOWN_PAIR.c.query_id == TASK_PAIR.c.query_id)
    .where(
        or_(
            and_(KNOWN_PAIR.c.right_doc == TASK_PAIR.c.left_doc, KNOWN_PAIR.c.wrong_doc == TASK_PAIR.c.right_doc),
            and_(KNOWN_PAIR.c.right_doc == TASK_PAIR.c.right_doc, KNOWN_PAIR.c.wrong_doc == TASK_PAIR.c.left_doc),
        ),
        TASK_PAIR.c.task_id == _TASK,
        KNOWN_PAIR.c.campaign_id == _CAMPAIGN,
        KNOWN_PAIR.c.removed_at.is_not(None),
    )
)
