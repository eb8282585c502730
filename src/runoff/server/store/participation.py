"""Who takes part in a campaign, with consent and pay: assessors, and codes for what they completed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Integer, bindparam, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from runoff.errors import NotFoundError
from runoff.server.store._rows import add, columns, many, note, one
from runoff.server.store.models.accounts import AUDIT
from runoff.server.store.models.campaigns import (
    ASSIGNMENT,
    CAMPAIGN_ASSESSOR,
    COMPLETION,
    CONSENT_TEXT,
    JUDGMENT,
    PAID_ASSIGNMENT,
    TASK_PAIR,
)


@dataclass(frozen=True, kw_only=True)
class Participation:
    """An assessor in a campaign: who left or was stopped gets no more tasks in it.

    consent_hash  of the text that they agreed to; None where it is not known
    """

    campaign_id: int
    person_id: int
    consented_at: datetime
    left_at: datetime | None
    stopped_at: datetime | None
    consent_hash: str | None = None

    @property
    def is_active(self) -> bool:
        """Whether they may be given tasks."""
        return self.left_at is None and self.stopped_at is None


@dataclass(frozen=True, kw_only=True)
class Consent:
    """What somebody agreed to, and when."""

    person_id: int
    at: datetime
    consent_hash: str
    text: str


def consent_version(text: str) -> str:
    """What a text of consent is known by: its SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()


def save_consent(
    connection: Connection, campaign_id: int, person_id: int, *, now: datetime, text: str | None = None
) -> None:
    """Let a person who has consented take part; without it the database refuses to give a task.

    text  what they agreed to, which is kept with the consent; None if it is not known
    """
    version = None if text is None else _kept_text(connection, text)
    clash = f"person {person_id} already takes part in campaign {campaign_id}"
    missing = f"there is no campaign {campaign_id} or no person {person_id}"
    row = {"campaign_id": campaign_id, "person_id": person_id, "consented_at": now, "consent_hash": version}
    add(connection, CAMPAIGN_ASSESSOR, clash, missing, **row)
    note(connection, "consent", "campaign", campaign_id, actor=person_id, now=now, text=version)


def save_consent_renewed(connection: Connection, campaign_id: int, person_id: int, *, text: str, now: datetime) -> None:
    """Keep that somebody who takes part has agreed to a text that is new; what they agreed to before stays known."""
    version = _kept_text(connection, text)
    _change(connection, campaign_id, person_id, consent_hash=version)
    note(connection, "consent", "campaign", campaign_id, actor=person_id, now=now, text=version)


def load_consents(connection: Connection, campaign_id: int) -> tuple[Consent, ...]:
    """Every consent that was ever given in a campaign, the oldest first; those whose text was not kept are left out."""
    consents = (AUDIT.c.thing == "campaign") & (AUDIT.c.thing_id == campaign_id) & (AUDIT.c.action == "consent")
    rows = connection.execute(
        select(AUDIT.c.actor_id, AUDIT.c.at, AUDIT.c.details).where(consents).order_by(AUDIT.c.id)
    )
    given_consents = [(row.actor_id, row.at, row.details.get("text")) for row in rows]
    query = select(CONSENT_TEXT.c.content_hash, CONSENT_TEXT.c.content)
    hashes = {text for *_, text in given_consents if text}
    texts = {row[0]: row[1] for row in connection.execute(query.where(CONSENT_TEXT.c.content_hash.in_(hashes)))}
    return tuple(
        Consent(person_id=person_id, at=at, consent_hash=text, text=texts[text])
        for person_id, at, text in given_consents
        if text in texts
    )


def save_stopped(connection: Connection, campaign_id: int, person_id: int, *, left: bool, now: datetime) -> None:
    """Give a person no more tasks: they left, or failed a test pair."""
    _change(connection, campaign_id, person_id, **{"left_at" if left else "stopped_at": now})
    note(connection, "leave" if left else "stop", "campaign", campaign_id, actor=None, now=now, person=person_id)


def save_returned(connection: Connection, campaign_id: int, person_id: int, *, now: datetime) -> None:
    """Let somebody who left take part again; who was stopped stays so."""
    _change(connection, campaign_id, person_id, left_at=None)
    note(connection, "return", "campaign", campaign_id, actor=person_id, now=now)


def save_reinstated(
    connection: Connection, campaign_id: int, person_id: int, *, actor: int | None, now: datetime
) -> None:
    """Give tasks again to somebody who was stopped, as an organiser does where a test pair was wrong."""
    _change(connection, campaign_id, person_id, stopped_at=None)
    note(connection, "reinstate", "campaign", campaign_id, actor=actor, now=now, person=person_id)


def load_participation(
    connection: Connection, campaign_id: int, person_id: int, *, lock: bool = False
) -> Participation | None:
    """How a person takes part, or None; with `lock` others who ask with it wait until the transaction ends."""
    row = connection.execute(_QUERIES[lock], {"campaign": campaign_id, "person": person_id}).mappings().one_or_none()
    return None if row is None else Participation(**row)


def load_participations(connection: Connection, campaign_id: int) -> tuple[Participation, ...]:
    """Everybody who takes part or did, in the order in which they consented."""
    table = CAMPAIGN_ASSESSOR
    order = [table.c.consented_at, table.c.person_id]
    return many(connection, Participation, table, table.c.campaign_id == campaign_id, order=order)


def _change(connection: Connection, campaign_id: int, person_id: int, **row: Any) -> None:
    statement = update(CAMPAIGN_ASSESSOR).where(*_of(campaign_id, person_id)).values(**row)
    if connection.execute(statement).rowcount != 1:
        raise NotFoundError(f"person {person_id} is not taking part in campaign {campaign_id}")


def _kept_text(connection: Connection, text: str) -> str:
    """Keep a text that somebody agrees to, once, and return what it is known by."""
    version = consent_version(text)
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(CONSENT_TEXT).values(content_hash=version, content=text)
    connection.execute(statement.on_conflict_do_nothing())
    return version


def _of(campaign_id: int, person_id: int) -> list:  # type: ignore[type-arg]
    return [CAMPAIGN_ASSESSOR.c.campaign_id == campaign_id, CAMPAIGN_ASSESSOR.c.person_id == person_id]


_QUERY: Final = select(*columns(Participation, CAMPAIGN_ASSESSOR)).where(
    CAMPAIGN_ASSESSOR.c.campaign_id == bindparam("campaign", type_=Integer),
    CAMPAIGN_ASSESSOR.c.person_id == bindparam("person", type_=Integer),
)
# Made once: every page of an assessor asks.
_QUERIES: Final = {False: _QUERY, True: _QUERY.with_for_update(key_share=True)}


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
    work_of_people: dict[int, tuple[Work, ...]] = {}
    for person, number, state, answered_pairs, wanted in connection.execute(query.order_by(ASSIGNMENT.c.id)):
        work = Work(assignment_id=number, state=state, answered=answered_pairs, pairs=wanted)
        work_of_people[person] = (*work_of_people.get(person, ()), work)
    return work_of_people


def save_completion(
    connection: Connection, campaign_id: int, person_id: int, *, code: str, reference: str, rate: float, now: datetime
) -> Completion:
    """Count what is not paid yet as paid, under a code that the caller drew at random."""
    work = load_unpaid(connection, campaign_id, person_id)
    counted = [assignment for assignment in work if assignment.state != "discarded"]
    row = {"campaign_id": campaign_id, "person_id": person_id, "code": code, "reference": reference, "at": now}
    row |= {
        "tasks": sum(assignment.state == "done" for assignment in work),
        "judgments": sum(assignment.answered for assignment in counted),
    }
    row |= {"discarded": sum(assignment.answered for assignment in work if assignment.state == "discarded")}
    pay = round(sum(assignment.pay(rate) for assignment in work), 2)
    number = add(connection, COMPLETION, "this code was given before; draw another", pay=pay, **row)
    if work:
        paid = [{"assignment_id": assignment.assignment_id, "completion_id": number} for assignment in work]
        connection.execute(insert(PAID_ASSIGNMENT), paid)
    note(connection, "complete", "campaign", campaign_id, actor=person_id, now=now, completion=number, pay=pay)
    return load_completion(connection, number)


def save_unpaid(connection: Connection, assignment_id: int) -> None:
    """Let the next code pay for an assignment that an earlier one counted as discarded."""
    connection.execute(delete(PAID_ASSIGNMENT).where(PAID_ASSIGNMENT.c.assignment_id == assignment_id))


def load_completion(connection: Connection, completion_id: int) -> Completion:
    """The completion of a number."""
    return one(connection, Completion, COMPLETION, COMPLETION.c.id == completion_id, what=f"completion {completion_id}")


def load_completions(
    connection: Connection, campaign_id: int, *, person_id: int | None = None
) -> tuple[Completion, ...]:
    """All completions of a campaign, or of one person in it, the oldest first."""
    where = [COMPLETION.c.campaign_id == campaign_id]
    where += [] if person_id is None else [COMPLETION.c.person_id == person_id]
    return many(connection, Completion, COMPLETION, *where)
