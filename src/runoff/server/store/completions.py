"""Completions: what an assessor has done when they leave, under a code that tells it to a crowdsourcing site."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, insert, select

from runoff.server.store._rows import add, many, maybe, note, one
from runoff.server.store.models.campaigns import COMPLETION, PAID_ASSIGNMENT
from runoff.server.store.models.judging import ASSIGNMENT, JUDGMENT, TASK_PAIR


@dataclass(frozen=True, kw_only=True)
class Completion:
    """Work that is paid: tasks done, judgments given in them and in tasks that were left, and those discarded."""

    id: int
    campaign_id: int
    person_id: int
    code: str
    reference: str
    tasks: int
    judgments: int
    discarded: int
    pay: float
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Work:
    """One ended assignment that was not paid yet: how many of its pairs were answered, test pairs among them."""

    assignment_id: int
    state: str
    answered: int
    pairs: int

    def pay(self, rate: float) -> float:
        """What it is worth at a rate per task: the answered share of it, nothing if it was discarded."""
        return 0.0 if self.state == "discarded" else rate * self.answered / self.pairs


def load_unpaid(connection: Connection, campaign_id: int, person_id: int) -> tuple[Work, ...]:
    """What somebody has done since they were last paid."""
    return load_all_unpaid(connection, campaign_id, person_id=person_id).get(person_id, ())


def load_all_unpaid(
    connection: Connection, campaign_id: int, *, person_id: int | None = None
) -> dict[int, tuple[Work, ...]]:
    """What everybody, or one person, has done since they were last paid, in one statement."""
    answered = (
        select(func.count(JUDGMENT.c.task_pair_id.distinct()))
        .where(JUDGMENT.c.assignment_id == ASSIGNMENT.c.id, JUDGMENT.c.preferred.is_not(None))
        .scalar_subquery()
    )
    pairs = select(func.count()).where(TASK_PAIR.c.task_id == ASSIGNMENT.c.task_id).scalar_subquery()
    paid = select(PAID_ASSIGNMENT.c.assignment_id).where(PAID_ASSIGNMENT.c.assignment_id == ASSIGNMENT.c.id).exists()
    query = select(ASSIGNMENT.c.person_id, ASSIGNMENT.c.id, ASSIGNMENT.c.state, answered, pairs).where(
        ASSIGNMENT.c.campaign_id == campaign_id, ASSIGNMENT.c.state != "given", ~paid
    )
    query = query if person_id is None else query.where(ASSIGNMENT.c.person_id == person_id)
    found: dict[int, tuple[Work, ...]] = {}
    for person, number, state, given, wanted in connection.execute(query.order_by(ASSIGNMENT.c.id)):
        work = Work(assignment_id=number, state=state, answered=given, pairs=wanted)
        found[person] = (*found.get(person, ()), work)
    return found


def save_completion(
    connection: Connection, campaign_id: int, person_id: int, *, code: str, reference: str, rate: float, now: datetime
) -> Completion:
    """Count what is not paid yet as paid, under a code that the caller drew at random."""
    work = load_unpaid(connection, campaign_id, person_id)
    kept = [one for one in work if one.state != "discarded"]
    row = {"campaign_id": campaign_id, "person_id": person_id, "code": code, "reference": reference, "at": now}
    row |= {"tasks": sum(one.state == "done" for one in work), "judgments": sum(one.answered for one in kept)}
    row |= {"discarded": sum(one.answered for one in work if one.state == "discarded")}
    pay = round(sum(one.pay(rate) for one in work), 2)
    number = add(connection, COMPLETION, "this code was given before; draw another", pay=pay, **row)
    if work:
        paid = [{"assignment_id": one.assignment_id, "completion_id": number} for one in work]
        connection.execute(insert(PAID_ASSIGNMENT), paid)
    note(connection, "complete", "campaign", campaign_id, actor=person_id, now=now, completion=number, pay=pay)
    return load_completion(connection, number)


def load_completion(connection: Connection, completion_id: int) -> Completion:
    """The completion of a number."""
    return one(connection, Completion, COMPLETION, COMPLETION.c.id == completion_id, what=f"completion {completion_id}")


def load_completion_by_code(connection: Connection, campaign_id: int, code: str) -> Completion | None:
    """What a code stands for in a campaign, or None."""
    own = COMPLETION.c.campaign_id == campaign_id
    return maybe(connection, Completion, COMPLETION, own, COMPLETION.c.code == code)


def load_completions(
    connection: Connection, campaign_id: int, *, person_id: int | None = None
) -> tuple[Completion, ...]:
    """All completions of a campaign, or of one person in it, the oldest first."""
    where = [COMPLETION.c.campaign_id == campaign_id]
    where += [] if person_id is None else [COMPLETION.c.person_id == person_id]
    return many(connection, Completion, COMPLETION, *where)
