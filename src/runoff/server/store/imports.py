"""Judgments from elsewhere, as tasks that were done: each task of an assessor comes in once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select, update

from runoff.server.store._rows import add
from runoff.server.store.campaign_plans import PlannedPair, PlannedTask, load_next_batch, save_task
from runoff.server.store.models.campaigns import IMPORTED_TASK
from runoff.server.store.models.judging import ASSIGNMENT, JUDGMENT, TASK, TASK_PAIR, Answer


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
    kept = {"assessor": new.assessor, "task": new.task, "content_hash": new.content_hash, "assignment_id": number}
    connection.execute(insert(IMPORTED_TASK).values(campaign_id=campaign_id, **kept))
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
