"""Judging campaigns: the plan of their tasks, and who takes part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from runoff.errors import ConflictError, NotFoundError, UsageError
from runoff.store._rows import add, columns, is_duplicate, many, note, one
from runoff.store.models.judging import CAMPAIGN, CAMPAIGN_ASSESSOR, TASK, TASK_PAIR, CampaignState, Side
from runoff.store.names import clean_name, clean_slug


@dataclass(frozen=True, kw_only=True)
class Campaign:
    """Documents of some queries that assessors compare."""

    id: int
    board_id: int | None
    slug: str
    title: str
    instructions: str
    state: CampaignState
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class PlannedPair:
    """Two documents of a query to be compared; `expected` is the right answer of a test pair, None for a real one."""

    query_id: str
    left_doc: str
    right_doc: str
    expected: Side | None = None


@dataclass(frozen=True, kw_only=True)
class Participation:
    """An assessor in a campaign: consent comes first; who left or was stopped gets no more tasks."""

    campaign_id: int
    person_id: int
    consented_at: datetime
    left_at: datetime | None
    stopped_at: datetime | None


def save_campaign(
    connection: Connection,
    *,
    slug: str,
    title: str,
    instructions: str,
    board_id: int | None = None,
    actor: int | None,
    now: datetime,
) -> Campaign:
    """Make a campaign, as a draft."""
    row = {"slug": clean_slug(slug), "title": clean_name(title), "instructions": instructions, "board_id": board_id}
    clash = f"a campaign is called {slug!r} already; choose another name"
    number = add(connection, CAMPAIGN, clash, state="draft", created_at=now, **row)
    note(connection, "create", "campaign", number, actor=actor, now=now, slug=slug)
    return load_campaign(connection, number)


def load_campaign(connection: Connection, campaign_id: int) -> Campaign:
    """The campaign of a number."""
    return one(connection, Campaign, CAMPAIGN, CAMPAIGN.c.id == campaign_id, what=f"campaign {campaign_id}")


def load_campaigns(connection: Connection) -> tuple[Campaign, ...]:
    """All campaigns, the oldest first."""
    return many(connection, Campaign, CAMPAIGN)


def save_campaign_state(
    connection: Connection, campaign_id: int, state: CampaignState, *, actor: int | None, now: datetime
) -> None:
    """Open or close a campaign."""
    before = load_campaign(connection, campaign_id)
    if state in {"draft", before.state}:
        raise ConflictError(f"campaign {before.slug!r} is {before.state} and cannot become {state}")
    connection.execute(update(CAMPAIGN).where(CAMPAIGN.c.id == campaign_id).values(state=state))
    note(connection, state, "campaign", campaign_id, actor=actor, now=now)


def save_task(connection: Connection, campaign_id: int, batch: int, copy: int, pairs: Sequence[PlannedPair]) -> int:
    """Add a task to the plan and return its number.

    batch  tasks with the same pairs for different assessors have the same batch
    copy   which of them it is, from 1; sides and order may differ between copies
    """
    if not pairs:
        raise UsageError(f"task {batch}/{copy} has no pairs; expected one or more")
    clash = f"the plan of campaign {campaign_id} has a task {batch}/{copy} already"
    number = add(connection, TASK, clash, campaign_id=campaign_id, batch=batch, copy=copy, state="open")
    rows = [{"task_id": number, "place": place, **asdict(pair)} for place, pair in enumerate(pairs, 1)]
    connection.execute(insert(TASK_PAIR), rows)
    return number


def save_consent(connection: Connection, campaign_id: int, person_id: int, *, now: datetime) -> None:
    """Let a person who has consented take part; without it the database refuses to give a task."""
    try:
        with connection.begin_nested():
            row = {"campaign_id": campaign_id, "person_id": person_id, "consented_at": now}
            connection.execute(insert(CAMPAIGN_ASSESSOR).values(**row))
    except IntegrityError as error:
        if is_duplicate(error):
            raise ConflictError(f"person {person_id} takes part in campaign {campaign_id} already") from error
        raise NotFoundError(f"there is no campaign {campaign_id} or no person {person_id}") from error
    note(connection, "consent", "campaign", campaign_id, actor=person_id, now=now)


def save_stopped(connection: Connection, campaign_id: int, person_id: int, *, left: bool, now: datetime) -> None:
    """Give a person no more tasks: they left, or failed a test pair."""
    row = {"left_at" if left else "stopped_at": now}
    statement = update(CAMPAIGN_ASSESSOR).where(*_of(campaign_id, person_id)).values(**row)
    if connection.execute(statement).rowcount != 1:
        raise NotFoundError(f"person {person_id} takes no part in campaign {campaign_id}")
    note(connection, "leave" if left else "stop", "campaign", campaign_id, actor=None, now=now, person=person_id)


def load_participation(
    connection: Connection, campaign_id: int, person_id: int, *, lock: bool = False
) -> Participation | None:
    """How a person takes part, or None; with `lock` others who ask with it wait until the transaction ends."""
    query = select(*columns(Participation, CAMPAIGN_ASSESSOR)).where(*_of(campaign_id, person_id))
    row = connection.execute(query.with_for_update(key_share=True) if lock else query).mappings().one_or_none()
    return None if row is None else Participation(**row)


def load_progress(connection: Connection, campaign_id: int) -> dict[str, int]:
    """How many tasks of the plan are open, given and done."""
    states = connection.execute(select(TASK.c.state).where(TASK.c.campaign_id == campaign_id)).scalars().all()
    return {state: states.count(state) for state in ("open", "given", "done")}


def _of(campaign_id: int, person_id: int) -> list:  # type: ignore[type-arg]
    return [CAMPAIGN_ASSESSOR.c.campaign_id == campaign_id, CAMPAIGN_ASSESSOR.c.person_id == person_id]
