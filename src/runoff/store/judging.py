"""Tasks given to assessors, and their judgments; the database itself keeps anything from being given or said twice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, exists, select, update

from runoff.errors import ConflictError, NotFoundError
from runoff.store._rows import add, columns, note, one, values
from runoff.store.campaigns import load_campaign, load_participation, save_stopped
from runoff.store.models.judging import ASSIGNMENT, JUDGMENT, TASK, TASK_PAIR, AssignmentState, Side


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
class StoredJudgment:
    """What an assessor preferred; `expected` is the right answer of a test pair."""

    task_id: int
    person_id: int
    query_id: str
    left_doc: str
    right_doc: str
    preferred: Side
    expected: Side | None
    seconds: float
    at: datetime


def take_task(
    connection: Connection, campaign_id: int, person_id: int, *, expires_at: datetime, now: datetime
) -> Assignment | None:
    """The task that the assessor holds, or the next of the plan; None if there is nothing for them.

    Tasks whose time is over go back into the plan first.
    """
    # Locked, so that of two requests of one assessor at once the second sees what the first was given.
    part = load_participation(connection, campaign_id, person_id, lock=True)
    if part is None:
        raise ConflictError(f"person {person_id} has not consented to campaign {campaign_id}; consent comes first")
    _return_overdue(connection, campaign_id, now)
    held = _load_held(connection, campaign_id, person_id)
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
        .order_by(TASK.c.copy, TASK.c.batch)
        .limit(1)
        .with_for_update(skip_locked=True)
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


def load_answers(connection: Connection, assignment: Assignment) -> dict[int, Side]:
    """What was answered so far: the preferred side by the number of the pair."""
    query = select(JUDGMENT.c.task_pair_id, JUDGMENT.c.preferred).where(JUDGMENT.c.assignment_id == assignment.id)
    return {row.task_pair_id: row.preferred for row in connection.execute(query)}


def save_judgment(
    connection: Connection, assignment_id: int, task_pair_id: int, preferred: Side, *, seconds: float, now: datetime
) -> None:
    """Keep a judgment for good; the same answer sent twice is one, another answer to the same pair is refused."""
    assignment = _held(connection, assignment_id)
    earlier = load_answers(connection, assignment).get(task_pair_id)
    if earlier == preferred:
        return
    clash = f"pair {task_pair_id} was answered already ({earlier}); an answer cannot be changed"
    row = {"task_pair_id": task_pair_id, "preferred": preferred, "seconds": seconds, "at": now}
    if earlier is not None:
        raise ConflictError(clash)
    if task_pair_id not in {pair.id for pair in load_pairs(connection, assignment)}:
        raise NotFoundError(f"pair {task_pair_id} is not in assignment {assignment_id}")
    add(connection, JUDGMENT, clash, assignment_id=assignment_id, task_id=assignment.task_id, **row)


def finish_assignment(connection: Connection, assignment_id: int, *, now: datetime) -> AssignmentState:
    """End an assignment whose pairs are all answered: done, or discarded if a test pair was failed.

    Who fails a test pair gets no more tasks, and the task goes back into the plan for somebody else.
    """
    assignment = _held(connection, assignment_id)
    answers = load_answers(connection, assignment)
    query = select(TASK_PAIR.c.id, TASK_PAIR.c.expected).where(TASK_PAIR.c.task_id == assignment.task_id)
    expected = {row.id: row.expected for row in connection.execute(query)}
    missing = len(expected.keys() - answers.keys())
    if missing:
        raise ConflictError(f"{missing} of {len(expected)} pairs have no answer yet; answer them first")
    failed = any(right is not None and answers[pair] != right for pair, right in expected.items())
    if failed:
        save_stopped(connection, assignment.campaign_id, assignment.person_id, left=False, now=now)
    _end(connection, assignment, "discarded" if failed else "done", now)
    return "discarded" if failed else "done"


def return_assignment(connection: Connection, assignment_id: int, *, now: datetime) -> None:
    """Give a task back unfinished; its judgments stay in the store and count for nothing."""
    _end(connection, _held(connection, assignment_id), "returned", now)


def load_judgments(
    connection: Connection, campaign_id: int, *, states: tuple[AssignmentState, ...] = ("done",)
) -> tuple[StoredJudgment, ...]:
    """The judgments of a campaign, in order; by default only of assignments that were done and not discarded."""
    joined = JUDGMENT.join(ASSIGNMENT, ASSIGNMENT.c.id == JUDGMENT.c.assignment_id)
    joined = joined.join(TASK_PAIR, TASK_PAIR.c.id == JUDGMENT.c.task_pair_id)
    homes = {"person_id": ASSIGNMENT, "task_id": JUDGMENT, "preferred": JUDGMENT, "seconds": JUDGMENT, "at": JUDGMENT}
    chosen = [homes.get(name, TASK_PAIR).c[name] for name in StoredJudgment.__dataclass_fields__]
    query = select(*chosen).select_from(joined)
    query = query.where(ASSIGNMENT.c.campaign_id == campaign_id, ASSIGNMENT.c.state.in_(states))
    return values(connection.execute(query.order_by(JUDGMENT.c.id)), StoredJudgment)


def _held(connection: Connection, assignment_id: int) -> Assignment:
    """The assignment, locked, if it is still in its assessor's hands."""
    query = select(*columns(Assignment, ASSIGNMENT)).where(ASSIGNMENT.c.id == assignment_id).with_for_update()
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise NotFoundError(f"there is no assignment {assignment_id}")
    if row["state"] != "given":
        raise ConflictError(f"assignment {assignment_id} is {row['state']}; ask for another task")
    return Assignment(**row)


def _load_held(connection: Connection, campaign_id: int, person_id: int) -> Assignment | None:
    own = (ASSIGNMENT.c.campaign_id == campaign_id) & (ASSIGNMENT.c.person_id == person_id)
    query = select(*columns(Assignment, ASSIGNMENT)).where(own, ASSIGNMENT.c.state == "given").limit(1)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else Assignment(**row)


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
