"""What an assessor finds, and nothing changes by looking: their task and their pay, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from runoff.errors import NotFoundError
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.judging.enter import ADDRESS, is_outdated
from runoff.server.cases.judging.judge import TaskSheet, load_sheet
from runoff.server.store.campaign_links import load_entries
from runoff.server.store.campaigns import Campaign, load_campaign_by_slug, load_campaigns
from runoff.server.store.judging import load_held
from runoff.server.store.participation import (
    Completion,
    Participation,
    load_completions,
    load_participation,
    load_unpaid,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from runoff.server.store.people import Person

DeskState = Literal["no consent", "new consent", "given", "ready", "draft", "paused", "closed", "left", "stopped"]


@dataclass(frozen=True, kw_only=True)
class Desk:
    """A campaign as one assessor finds it.

    state        `given`: a task is in their hands; `ready`: they may ask for one; `new consent`: they agreed to an
                 older text, and have to read the new one first
    sheet        the task in their hands
    tasks        tasks done since the last code
    is_owed      whether there is work that no code tells of yet, discarded work among it
    due          what leaving now would pay: tasks done, and the answered share of the one in their hands
    completions  codes so far, the oldest first
    """

    campaign: Campaign
    state: DeskState
    sheet: TaskSheet | None = None
    tasks: int = 0
    is_owed: bool = False
    due: float = 0.0
    completions: tuple[Completion, ...] = ()


def load_desk(connection: Connection, slug: str, *, person: Person, actor: Actor) -> Desk:
    """What somebody finds in a campaign; for those who were not asked in it is not there."""
    require(actor, "judge")
    campaign = load_campaign_by_slug(connection, slug)
    part = load_participation(connection, campaign.id, person.id)
    if part is None:
        if not _is_welcome(connection, campaign, person):
            raise NotFoundError(f"there is no campaign {slug[:60]!r}")
        return Desk(campaign=campaign, state="no consent")
    held = load_held(connection, campaign.id, person.id)
    sheet = None if held is None else load_sheet(connection, campaign, held)
    work = load_unpaid(connection, campaign.id, person.id)
    due = sum(one.pay(campaign.pay) for one in work)
    if sheet is not None:
        due += campaign.pay * sum(pair.answer is not None for pair in sheet.pairs) / len(sheet.pairs)
    return Desk(
        campaign=campaign,
        state="given" if sheet is not None else _state(campaign, part),
        sheet=sheet,
        tasks=sum(one.state == "done" for one in work),
        is_owed=bool(work),
        due=round(due, 2),
        completions=load_completions(connection, campaign.id, person_id=person.id),
    )


def load_own_campaigns(connection: Connection, *, person: Person, actor: Actor) -> tuple[Campaign, ...]:
    """The campaigns that somebody takes part in or may, the oldest first."""
    require(actor, "judge")
    return tuple(
        campaign
        for campaign in load_campaigns(connection)
        if load_participation(connection, campaign.id, person.id) is not None
        or (campaign.state != "closed" and _is_welcome(connection, campaign, person))
    )


def _is_welcome(connection: Connection, campaign: Campaign, person: Person) -> bool:
    """Whoever came in by a link, and people with an account; who has come for another campaign only, is not."""
    if load_entries(connection, campaign.id, person_id=person.id) or person.role == "organiser":
        return True
    return campaign.state != "draft" and not person.email.endswith(ADDRESS.format(name=""))


def _state(campaign: Campaign, part: Participation) -> DeskState:
    if part.stopped_at is not None:
        return "stopped"
    if part.left_at is not None:
        return "left"
    if campaign.state != "open":
        return campaign.state
    return "new consent" if is_outdated(part, campaign) else "ready"
