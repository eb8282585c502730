"""Who takes part in a campaign: consent comes first, and anybody may leave."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from runoff.errors import ConflictError, NotFoundError
from runoff.store._rows import columns, is_duplicate, many, note
from runoff.store.models.judging import CAMPAIGN_ASSESSOR


@dataclass(frozen=True, kw_only=True)
class Participation:
    """An assessor in a campaign: who left or was stopped gets no more tasks."""

    campaign_id: int
    person_id: int
    consented_at: datetime
    left_at: datetime | None
    stopped_at: datetime | None


def save_consent(
    connection: Connection, campaign_id: int, person_id: int, *, text_hash: str = "", now: datetime
) -> None:
    """Let a person who has consented take part; without it the database refuses to give a task.

    text_hash  of the text that they read, for the audit log
    """
    try:
        with connection.begin_nested():
            row = {"campaign_id": campaign_id, "person_id": person_id, "consented_at": now}
            connection.execute(insert(CAMPAIGN_ASSESSOR).values(**row))
    except IntegrityError as error:
        if is_duplicate(error):
            raise ConflictError(f"person {person_id} takes part in campaign {campaign_id} already") from error
        raise NotFoundError(f"there is no campaign {campaign_id} or no person {person_id}") from error
    text = {"text": text_hash} if text_hash else {}
    note(connection, "consent", "campaign", campaign_id, actor=person_id, now=now, **text)


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
    query = select(*columns(Participation, CAMPAIGN_ASSESSOR)).where(*_of(campaign_id, person_id))
    row = connection.execute(query.with_for_update(key_share=True) if lock else query).mappings().one_or_none()
    return None if row is None else Participation(**row)


def load_participations(connection: Connection, campaign_id: int) -> tuple[Participation, ...]:
    """Everybody who takes part or did, the first first."""
    table = CAMPAIGN_ASSESSOR
    order = [table.c.consented_at, table.c.person_id]
    return many(connection, Participation, table, table.c.campaign_id == campaign_id, order=order)


def _change(connection: Connection, campaign_id: int, person_id: int, **row: Any) -> None:
    statement = update(CAMPAIGN_ASSESSOR).where(*_of(campaign_id, person_id)).values(**row)
    if connection.execute(statement).rowcount != 1:
        raise NotFoundError(f"person {person_id} takes no part in campaign {campaign_id}")


def _of(campaign_id: int, person_id: int) -> list:  # type: ignore[type-arg]
    return [CAMPAIGN_ASSESSOR.c.campaign_id == campaign_id, CAMPAIGN_ASSESSOR.c.person_id == person_id]
