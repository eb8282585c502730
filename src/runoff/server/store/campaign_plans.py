"""The plan of a campaign: its tasks, and how far they are done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, Integer, Select, bindparam, func, insert, select

from runoff.errors import ConflictError, UsageError
from runoff.server.store._rows import add
from runoff.server.store.models.campaigns import (
    ASSIGNMENT,
    CAMPAIGN,
    CAMPAIGN_ASSESSOR,
    CAMPAIGN_SETTINGS,
    KNOWN_PAIR,
    POOL_ITEM,
    TASK,
    TASK_PAIR,
    Side,
    TaskState,
)

Pair = tuple[str, str, str]
_AT_ONCE = 400


@dataclass(frozen=True, kw_only=True)
class PlannedPair:
    """Two documents of a query to be compared; `expected` is the right answer of a test pair, None for a real one."""

    query_id: str
    left_doc: str
    right_doc: str
    expected: Side | None = None

    @property
    def key(self) -> Pair:
        """Query and documents, whatever side they are on."""
        first, second = sorted((self.left_doc, self.right_doc))
        return self.query_id, first, second


@dataclass(frozen=True, kw_only=True)
class NewTask:
    """A task of the plan: tasks with the same pairs for different assessors are copies, from 1, of one batch."""

    batch: int
    copy: int
    pairs: tuple[PlannedPair, ...]


@dataclass(frozen=True, kw_only=True)
class PlannedTask(NewTask):
    """A task that is in the plan."""

    id: int
    state: TaskState


@dataclass(frozen=True, kw_only=True)
class CampaignProgress:
    """How many tasks are open, given and done, and how many judgments of real pairs are in each of these."""

    tasks_open: int = 0
    tasks_given: int = 0
    tasks_done: int = 0
    judgments_open: int = 0
    judgments_given: int = 0
    judgments_done: int = 0

    @property
    def tasks(self) -> int:
        """All tasks of the plan."""
        return self.tasks_open + self.tasks_given + self.tasks_done

    @property
    def judgments(self) -> int:
        """All judgments of real pairs that the plan asks for."""
        return self.judgments_open + self.judgments_given + self.judgments_done


def save_task(connection: Connection, campaign_id: int, batch: int, copy: int, pairs: Sequence[PlannedPair]) -> int:
    """Add a task to the plan and return its number.

    batch  tasks with the same pairs for different assessors have the same batch
    copy   which of them it is, from 1; sides and order may differ between copies
    """
    if not pairs:
        raise UsageError(f"task {batch}/{copy} has no pairs; expected one or more")
    clash = f"the plan of campaign {campaign_id} has a task {batch}/{copy} already"
    number = add(connection, TASK, clash, campaign_id=campaign_id, batch=batch, copy=copy, state="open")
    connection.execute(insert(TASK_PAIR), _pair_rows(number, pairs))
    return number


def save_tasks(connection: Connection, campaign_id: int, tasks: Sequence[NewTask]) -> int:
    """Add many tasks to the plan, in a few statements; return how many."""
    if not tasks:
        return 0
    places = {(task.batch, task.copy) for task in tasks}
    if len(places) != len(tasks) or any(not task.pairs for task in tasks):
        raise UsageError("two tasks have the same place in the plan, or one has no pairs; expected neither")
    rows = [{"campaign_id": campaign_id, "batch": task.batch, "copy": task.copy, "state": "open"} for task in tasks]
    connection.execute(insert(TASK), rows)
    query = select(TASK.c.id, TASK.c.batch, TASK.c.copy).where(
        TASK.c.campaign_id == campaign_id, TASK.c.batch >= min(task.batch for task in tasks)
    )
    numbers = {(row.batch, row.copy): row.id for row in connection.execute(query)}
    pairs = [row for task in tasks for row in _pair_rows(numbers[task.batch, task.copy], task.pairs)]
    connection.execute(insert(TASK_PAIR), pairs)
    return len(tasks)


def load_tasks(connection: Connection, campaign_id: int) -> tuple[PlannedTask, ...]:
    """All tasks of the plan, by batch and copy."""
    query = (
        select(TASK.c.id, TASK.c.batch, TASK.c.copy, TASK.c.state, TASK_PAIR.c.query_id, TASK_PAIR.c.left_doc,
               TASK_PAIR.c.right_doc, TASK_PAIR.c.expected)
        .join(TASK_PAIR, TASK_PAIR.c.task_id == TASK.c.id)
        .where(TASK.c.campaign_id == campaign_id)
        .order_by(TASK.c.batch, TASK.c.copy, TASK_PAIR.c.place)
    )  # fmt: skip
    pairs_of_tasks: dict[tuple[int, int, int, TaskState], list[PlannedPair]] = {}
    for row in connection.execute(query):
        pair = PlannedPair(query_id=row.query_id, left_doc=row.left_doc, right_doc=row.right_doc, expected=row.expected)
        pairs_of_tasks.setdefault((row.id, row.batch, row.copy, row.state), []).append(pair)
    return tuple(
        PlannedTask(id=number, batch=batch, copy=copy, state=state, pairs=tuple(pairs))
        for (number, batch, copy, state), pairs in pairs_of_tasks.items()
    )


def load_planned_pairs(connection: Connection, campaign_id: int) -> frozenset[Pair]:
    """The real pairs of the plan, documents in alphabetical order."""
    query = (
        select(TASK_PAIR.c.query_id, TASK_PAIR.c.left_doc, TASK_PAIR.c.right_doc)
        .join(TASK, TASK.c.id == TASK_PAIR.c.task_id)
        .where(TASK.c.campaign_id == campaign_id, TASK_PAIR.c.expected.is_(None))
        .distinct()
    )
    return frozenset((query_id, min(docs), max(docs)) for query_id, *docs in connection.execute(query))


def load_batches(connection: Connection, campaign_id: int) -> dict[int, tuple[int, int]]:
    """Of each batch its last copy, and how many real pairs that one has."""
    real = (TASK_PAIR.c.task_id == TASK.c.id) & TASK_PAIR.c.expected.is_(None)
    query = (
        select(TASK.c.batch, TASK.c.copy, func.count())
        .join(TASK_PAIR, real)
        .where(TASK.c.campaign_id == campaign_id)
        .group_by(TASK.c.batch, TASK.c.copy)
        .order_by(TASK.c.batch, TASK.c.copy)
    )
    return {batch: (copy, pairs) for batch, copy, pairs in connection.execute(query)}


def load_asked_queries(connection: Connection, campaign_id: int) -> frozenset[str]:
    """The queries of which a real pair is in a task that is open or given."""
    query = (
        select(TASK_PAIR.c.query_id)
        .distinct()
        .join(TASK, TASK.c.id == TASK_PAIR.c.task_id)
        .where(TASK.c.campaign_id == campaign_id, TASK.c.state.in_(("open", "given")), TASK_PAIR.c.expected.is_(None))
    )
    return frozenset(connection.execute(query).scalars())


def load_met(connection: Connection, campaign_id: int, query_ids: Iterable[str]) -> dict[Pair, frozenset[int]]:
    """Of the real pairs of some queries, documents in alphabetical order, the assessors who were given them."""
    wanted = sorted(query_ids)
    people_of_pairs: dict[Pair, set[int]] = {}
    columns = TASK_PAIR.c.query_id, TASK_PAIR.c.left_doc, TASK_PAIR.c.right_doc, ASSIGNMENT.c.person_id
    query = select(*columns).join(ASSIGNMENT, ASSIGNMENT.c.task_id == TASK_PAIR.c.task_id)
    query = query.where(ASSIGNMENT.c.campaign_id == campaign_id, TASK_PAIR.c.expected.is_(None))
    for start in range(0, len(wanted), _AT_ONCE):
        some = TASK_PAIR.c.query_id.in_(wanted[start : start + _AT_ONCE])
        for query_id, left, right, person_id in connection.execute(query.where(some)):
            pair = (query_id, min(left, right), max(left, right))
            people_of_pairs.setdefault(pair, set()).add(person_id)
    return {pair: frozenset(people) for pair, people in people_of_pairs.items()}


def load_next_batch(connection: Connection, campaign_id: int) -> int:
    """The number that the next batch gets."""
    newest = select(func.coalesce(func.max(TASK.c.batch), 0)).where(TASK.c.campaign_id == campaign_id)
    return int(connection.execute(newest).scalar_one()) + 1


def load_progress(connection: Connection, campaign_id: int) -> CampaignProgress:
    """How far the plan is done, in one statement."""
    query = (
        select(TASK.c.state, func.count(TASK.c.id.distinct()), func.count())
        .join(TASK_PAIR, (TASK_PAIR.c.task_id == TASK.c.id) & TASK_PAIR.c.expected.is_(None))
        .where(TASK.c.campaign_id == campaign_id)
        .group_by(TASK.c.state)
    )
    counts: dict[str, int] = {}
    for state, tasks, judgments in connection.execute(query):
        counts |= {f"tasks_{state}": tasks, f"judgments_{state}": judgments}
    return CampaignProgress(**counts)


def load_is_at_work(connection: Connection, campaign_id: int) -> bool:
    """Whether there are tasks that are not done."""
    own = (TASK.c.campaign_id == campaign_id) & TASK.c.state.in_(("open", "given"))
    return connection.execute(select(TASK.c.id).where(own).limit(1)).first() is not None


def load_last_activity(connection: Connection, campaign_id: int) -> tuple[int, datetime | None]:
    """How many assignments have ended, and when the last one did: what changes with every result."""
    query = select(func.count(), func.max(ASSIGNMENT.c.ended_at)).where(
        ASSIGNMENT.c.campaign_id == campaign_id, ASSIGNMENT.c.state != "given"
    )
    count, last = connection.execute(query).one()
    return int(count), last


def load_due_state(connection: Connection, campaign_id: int) -> tuple[object, ...]:
    """Everything that what is due next depends on, in one statement: as long as it is the same, so is that.

    Who leaves, is stopped or consents makes a latest time later; who returns or is reinstated is one more.
    """
    return tuple(connection.execute(_due_state(), {"campaign": campaign_id}).one())


def renew_statistics(connection: Connection) -> None:
    """Let PostgreSQL count the rows of a plan again.

    By itself it does so a minute later, and until then reads all texts of a campaign for every task that is given.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("ANALYZE pool_item, campaign_text, task, task_pair, known_pair")


def check_pairs(pairs: Sequence[PlannedPair]) -> None:
    """Refuse a task in which a pair is listed twice."""
    keys = [pair.key for pair in pairs]
    if len(set(keys)) != len(keys):
        raise ConflictError("a pair is listed twice in a task; expected each once")


def _pair_rows(task_id: int, pairs: Sequence[PlannedPair]) -> list[dict[str, object]]:
    check_pairs(pairs)
    return [{"task_id": task_id, "place": place, **asdict(pair)} for place, pair in enumerate(pairs, 1)]


@cache
def _due_state() -> Select[Any]:
    own = bindparam("campaign", type_=Integer)
    people, ended = CAMPAIGN_ASSESSOR.c, (ASSIGNMENT.c.campaign_id == own) & (ASSIGNMENT.c.state != "given")
    active = people.left_at.is_(None) & people.stopped_at.is_(None)
    parts = [
        *(select(column).where(CAMPAIGN_SETTINGS.c.campaign_id == own)
          for column in (CAMPAIGN_SETTINGS.c.version, CAMPAIGN_SETTINGS.c.paused_at)),
        select(CAMPAIGN.c.state).where(CAMPAIGN.c.id == own),
        *(select(column).where(people.campaign_id == own)
          for column in (func.max(people.consented_at), func.max(people.left_at), func.max(people.stopped_at))),
        select(func.count()).where(people.campaign_id == own, active),
        select(func.count()).where(ended),
        select(func.max(ASSIGNMENT.c.ended_at)).where(ended),
        select(func.max(TASK.c.batch)).where(TASK.c.campaign_id == own),
        select(func.count()).where(POOL_ITEM.c.campaign_id == own),
        select(func.count()).where(KNOWN_PAIR.c.campaign_id == own, KNOWN_PAIR.c.removed_at.is_(None)),
        select(func.max(KNOWN_PAIR.c.id)).where(KNOWN_PAIR.c.campaign_id == own),
    ]  # fmt: skip
    return select(*(part.scalar_subquery().label(f"part_{place}") for place, part in enumerate(parts)))
