"""Judgments: each is one row that stays, has its turn, and can be taken back by a later turn."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, and_, func, literal, select
from sqlalchemy.dialects import postgresql, sqlite

from runoff.errors import ConflictError, NotFoundError
from runoff.store._rows import values
from runoff.store.models._columns import UtcTime
from runoff.store.models.judging import ASSIGNMENT, JUDGMENT, TASK, TASK_PAIR, Answer, AssignmentState, Side


@dataclass(frozen=True, kw_only=True)
class StoredJudgment:
    """What an assessor preferred; `expected` is the right answer of a test pair."""

    task_id: int
    batch: int
    copy: int
    person_id: int
    query_id: str
    left_doc: str
    right_doc: str
    preferred: Answer
    expected: Side | None
    seconds: float
    at: datetime


def save_judgment(
    connection: Connection,
    assignment_id: int,
    task_pair_id: int,
    preferred: Side,
    *,
    person_id: int,
    seconds: float,
    now: datetime,
    retry_key: str | None = None,
) -> None:
    """Keep a judgment for good, in one statement.

    The same answer sent twice is one, and so is whatever is sent twice with the same `retry_key`; another answer to a
    pair that has one is refused: the answer has to be taken back first.
    """
    answered = _latest(JUDGMENT.c.assignment_id == assignment_id).where(JUDGMENT.c.task_pair_id == task_pair_id)
    pair = select(TASK_PAIR.c.id).where(TASK_PAIR.c.task_id == ASSIGNMENT.c.task_id, TASK_PAIR.c.id == task_pair_id)
    current = answered.subquery()
    free = ~select(current.c.id).where(current.c.place == 1, current.c.preferred.is_not(None)).exists()
    row = {"preferred": preferred, "seconds": seconds, "at": now, "retry_key": retry_key}
    chosen = _held(assignment_id, person_id).where(free)
    if _insert(connection, chosen, pair.scalar_subquery(), row) is None:
        _explain(connection, assignment_id, task_pair_id, preferred, person_id, retry_key)


def save_undo(
    connection: Connection, assignment_id: int, *, person_id: int, now: datetime, retry_key: str | None = None
) -> int | None:
    """Take back the last answer that stands and return its pair; None if there is none. The history stays."""
    if retry_key is not None:
        again = select(JUDGMENT.c.task_pair_id).where(*_same_request(assignment_id, retry_key))
        done = connection.execute(again).scalar_one_or_none()
        if done is not None:
            return int(done)
    last = load_answer_turns(connection, assignment_id)
    standing = [pair for pair, _ in sorted(last.items(), key=lambda item: item[1][0]) if last[pair][1] is not None]
    if not standing:
        return None
    row = {"preferred": None, "seconds": 0.0, "at": now, "retry_key": retry_key}
    turn = max(turn for turn, _ in last.values())
    # Another answer in between would be the last one: then the turn is taken, and nothing is written.
    chosen = _held(assignment_id, person_id).where(_next_turn(assignment_id) == turn + 1)
    if _insert(connection, chosen, literal(standing[-1]), row) is None:
        _check_held(connection, assignment_id, person_id)
        raise ConflictError("another answer came in between; look again, then take back")
    return standing[-1]


def load_answer_turns(connection: Connection, assignment_id: int) -> dict[int, tuple[int, Answer | None]]:
    """Of each pair that was answered the turn of its last answer, and that answer; None if it was taken back."""
    query = select(JUDGMENT.c.task_pair_id, JUDGMENT.c.turn, JUDGMENT.c.preferred)
    rows = connection.execute(query.where(JUDGMENT.c.assignment_id == assignment_id).order_by(JUDGMENT.c.turn))
    return {row.task_pair_id: (row.turn, row.preferred) for row in rows}


def load_judgments(
    connection: Connection, campaign_id: int, *, states: tuple[AssignmentState, ...] = ("done",)
) -> tuple[StoredJudgment, ...]:
    """The answers that stand in a campaign, in order; by default only of assignments that were done, not discarded."""
    chosen = (ASSIGNMENT.c.campaign_id == campaign_id) & ASSIGNMENT.c.state.in_(states)
    own = select(ASSIGNMENT.c.id).where(chosen)
    last = _latest(JUDGMENT.c.assignment_id.in_(own)).subquery()
    joined = last.join(ASSIGNMENT, ASSIGNMENT.c.id == last.c.assignment_id)
    joined = joined.join(TASK_PAIR, TASK_PAIR.c.id == last.c.task_pair_id).join(TASK, TASK.c.id == last.c.task_id)
    homes: dict[str, Any] = dict.fromkeys(("task_id", "preferred", "seconds", "at"), last)
    homes |= {"person_id": ASSIGNMENT, "batch": TASK, "copy": TASK}
    columns = [homes.get(name, TASK_PAIR).c[name] for name in StoredJudgment.__dataclass_fields__]
    query = select(*columns).select_from(joined).where(last.c.place == 1, last.c.preferred.is_not(None))
    return values(connection.execute(query.order_by(last.c.id)), StoredJudgment)


def load_judgment_count(connection: Connection, campaign_id: int) -> int:
    """How many answers were given in a campaign, taken back or not: it grows with each."""
    own = select(ASSIGNMENT.c.id).where(ASSIGNMENT.c.campaign_id == campaign_id)
    query = select(func.count()).where(JUDGMENT.c.assignment_id.in_(own))
    return int(connection.execute(query).scalar_one())


def _latest(where: Any) -> Select[Any]:
    """Judgments with their place among those of the same pair and assignment: 1 is the last, the one that counts."""
    place = func.row_number().over(
        partition_by=(JUDGMENT.c.assignment_id, JUDGMENT.c.task_pair_id), order_by=JUDGMENT.c.turn.desc()
    )
    return select(*JUDGMENT.c, place.label("place")).where(where)


def _next_turn(assignment_id: int) -> Any:
    newest = select(func.coalesce(func.max(JUDGMENT.c.turn), 0) + 1).where(JUDGMENT.c.assignment_id == assignment_id)
    return newest.scalar_subquery()


def _held(assignment_id: int, person_id: int) -> Select[Any]:
    """The assignment, if it is in the hands of this person; locked, so that it does not end meanwhile."""
    own = and_(ASSIGNMENT.c.id == assignment_id, ASSIGNMENT.c.person_id == person_id, ASSIGNMENT.c.state == "given")
    return (
        select(ASSIGNMENT.c.id, ASSIGNMENT.c.task_id, _next_turn(assignment_id))
        .where(own)
        .with_for_update(key_share=True, of=ASSIGNMENT)
    )


def _insert(connection: Connection, chosen: Select[Any], pair: Any, row: dict[str, Any]) -> int | None:
    """Insert the answer for what was chosen and return its turn; None if nothing was, or its turn or key is taken."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    types = {name: JUDGMENT.c[name].type for name in row}
    more = [literal(value, UtcTime() if name == "at" else types[name]) for name, value in row.items()]
    names = ["assignment_id", "task_id", "turn", "task_pair_id", *row]
    query = chosen.where(pair.is_not(None)).add_columns(pair, *more)
    statement = dialect.insert(JUDGMENT).from_select(names, query).on_conflict_do_nothing().returning(JUDGMENT.c.turn)
    found = connection.execute(statement).scalar_one_or_none()
    return None if found is None else int(found)


def _same_request(assignment_id: int, retry_key: str) -> tuple[Any, Any]:
    return JUDGMENT.c.assignment_id == assignment_id, JUDGMENT.c.retry_key == retry_key


def _check_held(connection: Connection, assignment_id: int, person_id: int) -> None:
    query = select(ASSIGNMENT.c.state, ASSIGNMENT.c.person_id).where(ASSIGNMENT.c.id == assignment_id)
    row = connection.execute(query).one_or_none()
    if row is None or row.person_id != person_id:
        raise NotFoundError(f"there is no assignment {assignment_id} of person {person_id}")
    if row.state != "given":
        raise ConflictError(f"assignment {assignment_id} is {row.state}; ask for another task")


def _explain(
    connection: Connection,
    assignment_id: int,
    task_pair_id: int,
    preferred: Side,
    person_id: int,
    retry_key: str | None,
) -> None:
    """Nothing was written: because it is there already, or because it cannot be."""
    if retry_key is not None:
        again = select(JUDGMENT.c.id).where(*_same_request(assignment_id, retry_key))
        if connection.execute(again).one_or_none() is not None:
            return
    _check_held(connection, assignment_id, person_id)
    _, earlier = load_answer_turns(connection, assignment_id).get(task_pair_id, (0, None))
    if earlier == preferred:
        return
    if earlier is not None:
        raise ConflictError(f"pair {task_pair_id} was answered already ({earlier}); take that back first")
    known = select(TASK_PAIR.c.id).join(ASSIGNMENT, ASSIGNMENT.c.task_id == TASK_PAIR.c.task_id)
    known = known.where(ASSIGNMENT.c.id == assignment_id, TASK_PAIR.c.id == task_pair_id)
    if connection.execute(known).one_or_none() is None:
        raise NotFoundError(f"pair {task_pair_id} is not in assignment {assignment_id}")
    raise ConflictError("another answer came in at the same moment; send it again")
