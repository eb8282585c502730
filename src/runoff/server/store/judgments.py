"""Judgments of pairs: choices of assessors, and rows that were imported."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Integer, Select, and_, bindparam, case, exists, func, insert, null, select, update
from sqlalchemy.dialects import postgresql, sqlite

from runoff.errors import ConflictError, NotFoundError
from runoff.server.store._rows import add
from runoff.server.store.campaign_plans import PlannedPair, PlannedTask, load_next_batch, save_task
from runoff.server.store.models.campaigns import (
    ASSIGNMENT,
    IMPORTED_TASK,
    JUDGMENT,
    TASK,
    TASK_PAIR,
    Answer,
    AssignmentState,
    Side,
)


class StoredJudgment(NamedTuple):
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
    row: dict[str, Any] = {"own": assignment_id, "person": person_id, "pair": task_pair_id}
    row |= {"preferred": preferred, "seconds": seconds, "at": now, "retry_key": retry_key}
    if connection.execute(_choice(connection.dialect.name), row).scalar_one_or_none() is None:
        _explain(connection, assignment_id, task_pair_id, preferred, person_id, retry_key)


def save_undo(
    connection: Connection, assignment_id: int, *, person_id: int, now: datetime, retry_key: str | None = None
) -> int | None:
    """Take back the last answer that counts and return its pair; None if there is none. The history stays."""
    if retry_key is not None:
        again = select(JUDGMENT.c.task_pair_id).where(*_same_request(assignment_id, retry_key))
        done = connection.execute(again).scalar_one_or_none()
        if done is not None:
            return int(done)
    last = load_answer_turns(connection, assignment_id)
    standing = [pair for pair, _ in sorted(last.items(), key=lambda item: item[1][0]) if last[pair][1] is not None]
    if not standing:
        return None
    row: dict[str, Any] = {"own": assignment_id, "person": person_id, "pair": standing[-1]}
    row |= {"seconds": 0.0, "at": now, "retry_key": retry_key, "seen": max(turn for turn, _ in last.values())}
    # Another answer in between would be the last one: then the turn is taken, and nothing is written.
    if connection.execute(_undo(connection.dialect.name), row).scalar_one_or_none() is None:
        _check_held(connection, assignment_id, person_id)
        raise ConflictError("another answer came in between; look again, then take back")
    return standing[-1]


def load_answer_turns(connection: Connection, assignment_id: int) -> dict[int, tuple[int, Answer | None]]:
    """Of each pair that was answered the turn of its last answer, and that answer; None if it was taken back."""
    rows = connection.execute(_turns(), {"own": assignment_id})
    return {row.task_pair_id: (row.turn, row.preferred) for row in rows}


def load_judgments(
    connection: Connection, campaign_id: int, *, states: tuple[AssignmentState, ...] = ("done",)
) -> tuple[StoredJudgment, ...]:
    """The answers of a campaign that count, in order; by default only of assignments that were done, not discarded."""
    chosen = (ASSIGNMENT.c.campaign_id == campaign_id) & ASSIGNMENT.c.state.in_(states)
    own = select(ASSIGNMENT.c.id).where(chosen)
    last = _latest(JUDGMENT.c.assignment_id.in_(own)).subquery()
    joined = last.join(ASSIGNMENT, ASSIGNMENT.c.id == last.c.assignment_id)
    joined = joined.join(TASK_PAIR, TASK_PAIR.c.id == last.c.task_pair_id).join(TASK, TASK.c.id == last.c.task_id)
    homes: dict[str, Any] = dict.fromkeys(("task_id", "preferred", "seconds", "at"), last)
    homes |= {"person_id": ASSIGNMENT, "batch": TASK, "copy": TASK}
    columns = [homes.get(name, TASK_PAIR).c[name] for name in StoredJudgment._fields]
    query = select(*columns).select_from(joined).where(last.c.place == 1, last.c.preferred.is_not(None))
    return tuple(StoredJudgment._make(row) for row in connection.execute(query.order_by(last.c.id)))


def load_pair_votes(
    connection: Connection,
    campaign_id: int,
    *,
    without: Collection[int] = (),
    queries: Collection[str] | None = None,
) -> tuple[tuple[str, str, str, Answer, int], ...]:
    """(query, left, right, answer, how often) of the real pairs of tasks that were done, counted by the database.

    without  assignments that do not count
    queries  of which; None: of all
    """
    rest = [ASSIGNMENT.c.id.not_in(without)] if without else []
    rest += [] if queries is None else [TASK_PAIR.c.query_id.in_(queries)]
    query = _standing(campaign_id).where(TASK_PAIR.c.expected.is_(None), *rest)
    names = TASK_PAIR.c.query_id, TASK_PAIR.c.left_doc, TASK_PAIR.c.right_doc, JUDGMENT.c.preferred
    rows = connection.execute(query.with_only_columns(*names, func.count()).group_by(*names))
    return tuple((row[0], row[1], row[2], row[3], row[4]) for row in rows)


def load_failed_tests(
    connection: Connection, campaign_id: int, *, queries: Collection[str] | None = None
) -> tuple[tuple[int, str, str, str], ...]:
    """(assignment, query, right answer, wrong answer) of test pairs that were failed in tasks that count as done.

    queries  in tasks with a pair of one of these; None: in all
    """
    query = _standing(campaign_id).where(
        TASK_PAIR.c.expected.is_not(None), TASK_PAIR.c.expected != JUDGMENT.c.preferred
    )
    if queries is not None:
        some = TASK_PAIR.alias("some")
        query = query.where(ASSIGNMENT.c.task_id.in_(select(some.c.task_id).where(some.c.query_id.in_(queries))))
    is_left = TASK_PAIR.c.expected == "left"
    right = case((is_left, TASK_PAIR.c.left_doc), else_=TASK_PAIR.c.right_doc)
    wrong = case((is_left, TASK_PAIR.c.right_doc), else_=TASK_PAIR.c.left_doc)
    rows = connection.execute(query.with_only_columns(ASSIGNMENT.c.id, TASK_PAIR.c.query_id, right, wrong))
    return tuple((row[0], row[1], row[2], row[3]) for row in rows)


class TestAnswer(NamedTuple):
    """Whether a person failed a test pair; who answered it more than once has failed it if they did so once."""

    person_id: int
    query_id: str
    right_doc: str
    wrong_doc: str
    failed: bool


def load_test_answers(connection: Connection, campaign_id: int) -> tuple[TestAnswer, ...]:
    """Who answered which test pair in tasks that were handed in, and whether they failed it."""
    names = TASK_PAIR.c.query_id, TASK_PAIR.c.left_doc, TASK_PAIR.c.right_doc, TASK_PAIR.c.expected
    query = _standing(campaign_id, ("done", "discarded")).where(TASK_PAIR.c.expected.is_not(None))
    rows = connection.execute(
        query.with_only_columns(ASSIGNMENT.c.person_id, *names, JUDGMENT.c.preferred).order_by(JUDGMENT.c.id)
    )
    failed: dict[tuple[int, str, str, str], bool] = {}
    for person_id, query_id, left, right, expected, preferred in rows:
        answered = (person_id, query_id, *((left, right) if expected == "left" else (right, left)))
        failed[answered] = failed.get(answered, False) or preferred != expected
    return tuple(TestAnswer(*answered, has_failed) for answered, has_failed in failed.items())


def load_seconds(connection: Connection, campaign_id: int) -> tuple[float, ...]:
    """How long each answer took of tasks that have ended and were not given back."""
    query = select(JUDGMENT.c.seconds).join(ASSIGNMENT, ASSIGNMENT.c.id == JUDGMENT.c.assignment_id)
    query = query.where(ASSIGNMENT.c.campaign_id == campaign_id, ASSIGNMENT.c.state.in_(("done", "discarded")))
    return tuple(connection.execute(query.where(JUDGMENT.c.preferred.is_not(None))).scalars())


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


def _standing(campaign_id: int, states: tuple[AssignmentState, ...] = ("done",)) -> Select[Any]:
    """The answers that stand of tasks that were done."""
    later = JUDGMENT.alias("later")
    is_last = ~exists().where(
        later.c.assignment_id == JUDGMENT.c.assignment_id,
        later.c.task_pair_id == JUDGMENT.c.task_pair_id,
        later.c.turn > JUDGMENT.c.turn,
    )
    return (
        select(JUDGMENT.c.id)
        .join(ASSIGNMENT, ASSIGNMENT.c.id == JUDGMENT.c.assignment_id)
        .join(TASK_PAIR, TASK_PAIR.c.id == JUDGMENT.c.task_pair_id)
        .where(ASSIGNMENT.c.campaign_id == campaign_id, ASSIGNMENT.c.state.in_(states))
        .where(JUDGMENT.c.preferred.is_not(None), is_last)
    )


@cache
def _turns() -> Any:
    query = select(JUDGMENT.c.task_pair_id, JUDGMENT.c.turn, JUDGMENT.c.preferred)
    return query.where(JUDGMENT.c.assignment_id == _OWN).order_by(JUDGMENT.c.turn)


# The statements are made once: making and reading them takes longer than the database takes to do them.
@cache
def _choice(dialect: str) -> Any:
    """An answer to a pair of the assignment that has none."""
    other = JUDGMENT.alias("other")
    same = and_(other.c.assignment_id == _OWN, other.c.task_pair_id == _PAIR)
    newest = select(func.max(other.c.turn)).where(same).scalar_subquery()
    earlier = JUDGMENT.alias("earlier")
    answered = exists().where(
        earlier.c.assignment_id == _OWN,
        earlier.c.task_pair_id == _PAIR,
        earlier.c.turn == newest,
        earlier.c.preferred.is_not(None),
    )
    own = exists().where(TASK_PAIR.c.task_id == ASSIGNMENT.c.task_id, TASK_PAIR.c.id == _PAIR)
    return _insert(dialect, bindparam("preferred", type_=JUDGMENT.c.preferred.type), own, ~answered)


@cache
def _undo(dialect: str) -> Any:
    """The pair's answer taken back, if the last turn is the one that was seen."""
    return _insert(dialect, null(), _next_turn() == bindparam("seen", type_=Integer) + 1)


_OWN: Final = bindparam("own", type_=Integer)
_PAIR: Final = bindparam("pair", type_=Integer)


def _next_turn() -> Any:
    newest = select(func.coalesce(func.max(JUDGMENT.c.turn), 0) + 1).where(JUDGMENT.c.assignment_id == _OWN)
    return newest.scalar_subquery()


def _insert(name: str, preferred: Any, *conditions: Any) -> Any:
    """Insert an answer and return its turn, if the conditions hold.

    Nothing is inserted if the assignment is not in the person's hands, or if its turn or key is taken. The assignment
    is locked, so that it does not end meanwhile.
    """
    dialect = postgresql if name == "postgresql" else sqlite
    mine = and_(ASSIGNMENT.c.id == _OWN, ASSIGNMENT.c.person_id == bindparam("person", type_=Integer))
    row = {"assignment_id": ASSIGNMENT.c.id, "task_id": ASSIGNMENT.c.task_id, "turn": _next_turn()}
    row |= {"task_pair_id": _PAIR, "preferred": preferred}
    row |= {name: bindparam(name, type_=JUDGMENT.c[name].type) for name in ("seconds", "at", "retry_key")}
    chosen = select(*row.values()).where(mine, ASSIGNMENT.c.state == "given", *conditions)
    chosen = chosen.with_for_update(key_share=True, of=ASSIGNMENT)
    statement = dialect.insert(JUDGMENT).from_select(list(row), chosen).on_conflict_do_nothing()
    return statement.returning(JUDGMENT.c.turn)


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
    own_pair = select(TASK_PAIR.c.id).join(ASSIGNMENT, ASSIGNMENT.c.task_id == TASK_PAIR.c.task_id)
    own_pair = own_pair.where(ASSIGNMENT.c.id == assignment_id, TASK_PAIR.c.id == task_pair_id)
    if connection.execute(own_pair).one_or_none() is None:
        raise NotFoundError(f"pair {task_pair_id} is not in assignment {assignment_id}")
    raise ConflictError("another answer came in at the same moment; send it again")


@dataclass(frozen=True, kw_only=True)
class ImportedAnswer:
    """One judgment of a task from elsewhere."""

    pair: PlannedPair
    preferred: Answer
    seconds: float


@dataclass(frozen=True, kw_only=True)
class ImportedTask:
    """A task of an assessor from elsewhere, under the names that it has there."""

    assessor: str
    task: str
    content_hash: str
    answers: tuple[ImportedAnswer, ...]
    failed: bool


def save_imported(
    connection: Connection, campaign_id: int, new: ImportedTask, person_id: int, *, task: PlannedTask | None = None,
    now: datetime,
) -> int:  # fmt: skip
    """Keep a task with its judgments, as done or discarded, and return its assignment.

    task  an open task of the plan with the same pairs, whose place it takes; else it is a batch of its own
    """
    if task is None:
        batch = load_next_batch(connection, campaign_id)
        task_id = save_task(connection, campaign_id, batch, 1, [answer.pair for answer in new.answers])
    else:
        batch, task_id = task.batch, task.id
    # A task of the plan that was failed is open again; one from elsewhere is not to be done here.
    state = "open" if new.failed and task is not None else "done"
    connection.execute(update(TASK).where(TASK.c.id == task_id).values(state=state))
    row: dict[str, Any] = {"task_id": task_id, "campaign_id": campaign_id, "batch": batch, "person_id": person_id}
    row |= {"state": "discarded" if new.failed else "done", "given_at": now, "expires_at": now, "ended_at": now}
    number = add(connection, ASSIGNMENT, f"assessor {new.assessor!r} has done batch {batch} already", **row)
    connection.execute(insert(JUDGMENT), _answer_rows(connection, new, number, task_id, now))
    names = {"assessor": new.assessor, "task": new.task, "content_hash": new.content_hash, "assignment_id": number}
    connection.execute(insert(IMPORTED_TASK).values(campaign_id=campaign_id, **names))
    return number


def load_imported(connection: Connection, campaign_id: int) -> dict[tuple[str, str], str]:
    """The hash of the content of every task that came in, by assessor and task."""
    own = IMPORTED_TASK.c.campaign_id == campaign_id
    rows = connection.execute(select(IMPORTED_TASK).where(own))
    return {(row.assessor, row.task): row.content_hash for row in rows}


def load_assigned(connection: Connection, campaign_id: int) -> Sequence[tuple[int, int, int]]:
    """(person, batch, copy) of all tasks that were done or discarded here."""
    query = select(ASSIGNMENT.c.person_id, TASK.c.batch, TASK.c.copy).join(TASK, TASK.c.id == ASSIGNMENT.c.task_id)
    query = query.where(ASSIGNMENT.c.campaign_id == campaign_id, ASSIGNMENT.c.state.in_(("done", "discarded")))
    return [(row[0], row[1], row[2]) for row in connection.execute(query)]


def _answer_rows(
    connection: Connection, new: ImportedTask, assignment_id: int, task_id: int, now: datetime
) -> list[dict[str, Any]]:
    """The answers on the sides of the task, whatever side the documents had elsewhere."""
    own = {}
    for row in connection.execute(select(TASK_PAIR).where(TASK_PAIR.c.task_id == task_id)):
        own[PlannedPair(query_id=row.query_id, left_doc=row.left_doc, right_doc=row.right_doc).key] = row
    rows = []
    turned = {"left": "right", "right": "left", "tie": "tie"}
    for turn, answer in enumerate(new.answers, start=1):
        pair = own[answer.pair.key]
        same = pair.left_doc == answer.pair.left_doc
        preferred = answer.preferred if same else turned[answer.preferred]
        place = {"assignment_id": assignment_id, "task_id": task_id, "task_pair_id": pair.id, "turn": turn, "at": now}
        rows.append({**place, "preferred": preferred, "seconds": answer.seconds})
    return rows
