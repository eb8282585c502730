"""How long an assessor has had a task by the server's clock, and how much of that time earlier answers account for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Integer, bindparam, func, select

from runoff.errors import NotFoundError
from runoff.server.store.models.judging import ASSIGNMENT, JUDGMENT


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
