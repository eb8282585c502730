"""Judgments from elsewhere, as tasks that were done: each task of an assessor comes in once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, insert, select, update

from runoff.store._rows import add
from runoff.store.campaign_plans import PlannedPair, save_task
from runoff.store.models.campaigns import IMPORTED_TASK
from runoff.store.models.judging import ASSIGNMENT, JUDGMENT, TASK, TASK_PAIR, Answer


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
    connection: Connection, campaign_id: int, new: ImportedTask, person_id: int, *, batch: int, now: datetime
) -> int:
    """Keep a task with its judgments, as done or discarded, and return its assignment.

    batch  one of the plan, whose next copy it becomes, or a new one
    """
    copies = select(func.coalesce(func.max(TASK.c.copy), 0)).where(
        TASK.c.campaign_id == campaign_id, TASK.c.batch == batch
    )
    copy = int(connection.execute(copies).scalar_one()) + 1
    task_id = save_task(connection, campaign_id, batch, copy, [answer.pair for answer in new.answers])
    return _save_done(connection, campaign_id, new, person_id, task_id, batch, now)


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


def _save_done(
    connection: Connection, campaign_id: int, new: ImportedTask, person_id: int, task_id: int, batch: int, now: datetime
) -> int:
    state = "discarded" if new.failed else "done"
    # A copy that failed is not to be done again here: who sent it out decides that.
    connection.execute(update(TASK).where(TASK.c.id == task_id).values(state="done"))
    row = {"task_id": task_id, "campaign_id": campaign_id, "batch": batch, "person_id": person_id, "state": state}
    clash = f"assessor {new.assessor!r} has done batch {batch} already"
    number = add(connection, ASSIGNMENT, clash, given_at=now, expires_at=now, ended_at=now, **row)
    query = select(TASK_PAIR.c.id).where(TASK_PAIR.c.task_id == task_id).order_by(TASK_PAIR.c.place)
    pairs = connection.execute(query).scalars().all()
    rows = [
        {"assignment_id": number, "task_id": task_id, "task_pair_id": pair, "turn": turn, "at": now,
         "preferred": answer.preferred, "seconds": answer.seconds}
        for turn, (pair, answer) in enumerate(zip(pairs, new.answers, strict=True), start=1)
    ]  # fmt: skip
    connection.execute(insert(JUDGMENT), rows)
    kept = {"assessor": new.assessor, "task": new.task, "content_hash": new.content_hash, "assignment_id": number}
    connection.execute(insert(IMPORTED_TASK).values(campaign_id=campaign_id, **kept))
    return number
