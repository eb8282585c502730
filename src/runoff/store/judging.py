"""Tasks given to assessors; the database itself keeps anything from being given twice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Exists, and_, exists, or_, select, true, update

from runoff.errors import ConflictError, NotFoundError
from runoff.store._rows import add, columns, note, one, values
from runoff.store.campaigns import load_campaign
from runoff.store.judgments import load_answer_turns
from runoff.store.models.campaigns import KNOWN_PAIR
from runoff.store.models.judging import ASSIGNMENT, TASK, TASK_PAIR, Answer, AssignmentState
from runoff.store.participation import load_participation, save_stopped


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


def take_task(
    connection: Connection,
    campaign_id: int,
    person_id: int,
    *,
    expires_at: datetime,
    pairs_once: bool = False,
    now: datetime,
) -> Assignment | None:
    """The task that the assessor holds, or the next of the plan; None if there is nothing for them.

    Tasks whose time is over go back into the plan first. Nobody gets a batch, or with `pairs_once` a pair, that they
    had before.
    """
    # Locked, so that of two requests of one assessor at once the second sees what the first was given.
    part = load_participation(connection, campaign_id, person_id, lock=True)
    if part is None:
        raise ConflictError(f"person {person_id} has not consented to campaign {campaign_id}; consent comes first")
    _return_overdue(connection, campaign_id, now)
    held = load_held(connection, campaign_id, person_id)
    if held is not None:
        return held
    if part.left_at or part.stopped_at or load_campaign(connection, campaign_id).state != "open":
        return None
    seen = exists().where(
        ASSIGNMENT.c.campaign_id == TASK.c.campaign_id,
        ASSIGNMENT.c.batch == TASK.c.batch,
        ASSIGNMENT.c.person_id == person_id,
    )
    choice = (
        select(TASK.c.id, TASK.c.batch)
        .where(TASK.c.campaign_id == campaign_id, TASK.c.state == "open", ~seen)
        .where(~_met(campaign_id, person_id) if pairs_once else true())
        .order_by(TASK.c.copy, TASK.c.batch)
        .limit(1)
        .with_for_update(skip_locked=True, of=TASK)
    )
    task = connection.execute(choice).one_or_none()
    if task is None:
        return None
    _set_task(connection, task.id, "given")
    row = {"task_id": task.id, "campaign_id": campaign_id, "batch": task.batch, "person_id": person_id}
    clash = f"task {task.id} was given away meanwhile; ask again"
    number = add(connection, ASSIGNMENT, clash, state="given", given_at=now, expires_at=expires_at, **row)
    note(connection, "give", "task", task.id, actor=person_id, now=now, assignment=number)
    return load_assignment(connection, number)


def load_assignment(connection: Connection, assignment_id: int) -> Assignment:
    """The assignment of a number."""
    what = f"assignment {assignment_id}"
    return one(connection, Assignment, ASSIGNMENT, ASSIGNMENT.c.id == assignment_id, what=what)


def load_pairs(connection: Connection, assignment: Assignment) -> tuple[TaskPair, ...]:
    """The pairs of an assignment, in order."""
    query = select(*columns(TaskPair, TASK_PAIR)).where(TASK_PAIR.c.task_id == assignment.task_id)
    return values(connection.execute(query.order_by(TASK_PAIR.c.place)), TaskPair)


def load_answers(connection: Connection, assignment: Assignment) -> dict[int, Answer]:
    """The answers that stand: the preferred side by the number of the pair."""
    turns = load_answer_turns(connection, assignment.id)
    return {pair: preferred for pair, (_, preferred) in turns.items() if preferred is not None}


def finish_assignment(connection: Connection, assignment_id: int, *, now: datetime) -> AssignmentState:
    """End an assignment whose pairs are all answered: done, or discarded if a test pair was failed.

    Who fails a test pair gets no more tasks, and the task goes back into the plan for somebody else. A test pair that
    organisers have removed since decides nothing.
    """
    assignment = _held(connection, assignment_id)
    answers = load_answers(connection, assignment)
    query = select(TASK_PAIR.c.id, TASK_PAIR.c.expected).where(TASK_PAIR.c.task_id == assignment.task_id)
    expected = {row.id: row.expected for row in connection.execute(query)}
    removed = _removed_tests(connection, assignment)
    missing = len(expected.keys() - answers.keys())
    if missing:
        raise ConflictError(f"{missing} of {len(expected)} pairs have no answer yet; answer them first")
    failed = any(
        right is not None and answers[pair] != right and pair not in removed for pair, right in expected.items()
    )
    if failed:
        save_stopped(connection, assignment.campaign_id, assignment.person_id, left=False, now=now)
    _end(connection, assignment, "discarded" if failed else "done", now)
    return "discarded" if failed else "done"


def return_assignment(connection: Connection, assignment_id: int, *, now: datetime) -> None:
    """Give a task back unfinished; its judgments stay in the store and count for nothing."""
    _end(connection, _held(connection, assignment_id), "returned", now)


def _held(connection: Connection, assignment_id: int) -> Assignment:
    """The assignment, locked, if it is still in its assessor's hands."""
    query = select(*columns(Assignment, ASSIGNMENT)).where(ASSIGNMENT.c.id == assignment_id).with_for_update()
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise NotFoundError(f"there is no assignment {assignment_id}")
    if row["state"] != "given":
        raise ConflictError(f"assignment {assignment_id} is {row['state']}; ask for another task")
    return Assignment(**row)


def load_held(connection: Connection, campaign_id: int, person_id: int) -> Assignment | None:
    """The task that an assessor holds in a campaign, or None."""
    own = (ASSIGNMENT.c.campaign_id == campaign_id) & (ASSIGNMENT.c.person_id == person_id)
    query = select(*columns(Assignment, ASSIGNMENT)).where(own, ASSIGNMENT.c.state == "given").limit(1)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else Assignment(**row)


def _met(campaign_id: int, person_id: int) -> Exists:
    """Whether a task holds a real pair that the person was given before."""
    had, own = TASK_PAIR.alias("had"), TASK_PAIR.alias("own")
    same = or_(
        and_(had.c.left_doc == own.c.left_doc, had.c.right_doc == own.c.right_doc),
        and_(had.c.left_doc == own.c.right_doc, had.c.right_doc == own.c.left_doc),
    )
    return exists().where(
        ASSIGNMENT.c.campaign_id == campaign_id,
        ASSIGNMENT.c.person_id == person_id,
        had.c.task_id == ASSIGNMENT.c.task_id,
        own.c.task_id == TASK.c.id,
        own.c.expected.is_(None),
        had.c.query_id == own.c.query_id,
        same,
    )


def _removed_tests(connection: Connection, assignment: Assignment) -> set[int]:
    """The test pairs of a task that were removed after it was made."""
    one = and_(KNOWN_PAIR.c.right_doc == TASK_PAIR.c.left_doc, KNOWN_PAIR.c.wrong_doc == TASK_PAIR.c.right_doc)
    other = and_(KNOWN_PAIR.c.right_doc == TASK_PAIR.c.right_doc, KNOWN_PAIR.c.wrong_doc == TASK_PAIR.c.left_doc)
    query = select(TASK_PAIR.c.id).join(KNOWN_PAIR, and_(KNOWN_PAIR.c.query_id == TASK_PAIR.c.query_id, one | other))
    query = query.where(
        TASK_PAIR.c.task_id == assignment.task_id,
        KNOWN_PAIR.c.campaign_id == assignment.campaign_id,
        KNOWN_PAIR.c.removed_at.is_not(None),
    )
    return set(connection.execute(query).scalars())


def _return_overdue(connection: Connection, campaign_id: int, now: datetime) -> None:
    over: ColumnElement[bool] = (ASSIGNMENT.c.campaign_id == campaign_id) & (ASSIGNMENT.c.expires_at <= now)
    query = select(*columns(Assignment, ASSIGNMENT)).where(over, ASSIGNMENT.c.state == "given")
    for assignment in values(connection.execute(query.with_for_update(skip_locked=True)), Assignment):
        _end(connection, assignment, "returned", now)


def _end(connection: Connection, assignment: Assignment, state: AssignmentState, now: datetime) -> None:
    row = {"state": state, "ended_at": now}
    connection.execute(update(ASSIGNMENT).where(ASSIGNMENT.c.id == assignment.id).values(**row))
    _set_task(connection, assignment.task_id, "done" if state == "done" else "open")
    actor = assignment.person_id
    note(connection, state, "task", assignment.task_id, actor=actor, now=now, assignment=assignment.id)


def _set_task(connection: Connection, task_id: int, state: str) -> None:
    connection.execute(update(TASK).where(TASK.c.id == task_id).values(state=state))
