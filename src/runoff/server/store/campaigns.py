"""Judging campaigns: their settings, states and jobs."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import ColumnElement, Connection, RowMapping, bindparam, case, func, insert, select, update

from runoff.errors import ConflictError, NotFoundError, UsageError
from runoff.server.store._rows import add, note
from runoff.server.store.jobs import Job, load_jobs, save_job
from runoff.server.store.models.campaigns import CAMPAIGN, CampaignState
from runoff.server.store.models.campaigns import CAMPAIGN_SETTINGS as SETTINGS
from runoff.server.store.names import clean_name, clean_slug
from runoff.tables.campaign_settings import CAMPAIGN_SETTINGS, CampaignSettings

if TYPE_CHECKING:
    from sqlalchemy import Connection

# From which state to which a campaign can go; a draft is opened by its plan.
_STEPS: Final[dict[CampaignState, tuple[CampaignState, ...]]] = {
    "draft": ("open",),
    "open": ("paused", "closed"),
    "paused": ("open", "closed"),
    "closed": ("open",),
}


@dataclass(frozen=True, kw_only=True)
class Campaign(CampaignSettings):
    """A campaign of the store.

    version     grows with each change of its settings
    started_at  when an organiser started it; it is a draft until the plan is made at planned_at
    """

    id: int
    state: CampaignState
    version: int
    created_at: datetime
    started_at: datetime | None
    planned_at: datetime | None


def save_campaign(connection: Connection, settings: CampaignSettings, *, actor: int | None, now: datetime) -> Campaign:
    """Make a campaign, as a draft."""
    own, more = _rows(settings)
    clash = f"a campaign is called {settings.slug!r} already; choose another name"
    number = add(connection, CAMPAIGN, clash, state="draft", created_at=now, **own)
    connection.execute(insert(SETTINGS).values(campaign_id=number, version=1, **more))
    note(connection, "create", "campaign", number, actor=actor, now=now, slug=settings.slug)
    return load_campaign(connection, number)


def save_campaign_settings(
    connection: Connection,
    campaign_id: int,
    settings: CampaignSettings,
    *,
    version: int,
    actor: int | None,
    now: datetime,
) -> Campaign:
    """Change a campaign; `version` is the one that the organiser saw. What its plan was made from no longer changes."""
    before = load_campaign(connection, campaign_id)
    changed = sorted(name for name in _FIELDS if getattr(before, name) != getattr(settings, name))
    fixed = [name for name in changed if name in _PLANNED]
    if before.started_at is not None and fixed:
        raise ConflictError(
            f"campaign {before.slug!r} has started, and {', '.join(fixed)} can no longer be changed; extend it instead"
        )
    own, more = _rows(settings)
    same = (SETTINGS.c.campaign_id == campaign_id) & (SETTINGS.c.version == version)
    if connection.execute(update(SETTINGS).where(same).values(version=version + 1, **more)).rowcount != 1:
        raise ConflictError(
            f"campaign {before.slug!r} has since been changed (version {before.version}, not {version}); look again"
        )
    connection.execute(update(CAMPAIGN).where(CAMPAIGN.c.id == campaign_id).values(**own))
    note(connection, "change", "campaign", campaign_id, actor=actor, now=now, version=version + 1, changed=changed)
    return load_campaign(connection, campaign_id)


def save_extension(
    connection: Connection,
    campaign_id: int,
    *,
    judgments_per_pair: int,
    sample: int | None,
    depth: int,
    actor: int | None,
    now: datetime,
) -> Campaign:
    """Let a campaign that has started ask for more: judgments per pair, queries, or ranks of each run."""
    before = lock_campaign(connection, campaign_id)
    if depth < before.depth:
        raise UsageError(f"depth {depth}; expected {before.depth} or more")
    if judgments_per_pair < before.judgments_per_pair:
        raise UsageError(f"{judgments_per_pair} judgments per pair; expected {before.judgments_per_pair} or more")
    if before.sample is None and sample is not None:
        raise UsageError("all queries are judged already; expected no sample")
    if before.sample is not None and sample is not None and sample < before.sample:
        raise UsageError(f"a sample of {sample:,} queries; expected {before.sample:,} or more, or all")
    row = {"judgments_per_pair": judgments_per_pair, "sample": sample, "depth": depth, "version": before.version + 1}
    connection.execute(update(SETTINGS).where(SETTINGS.c.campaign_id == campaign_id).values(**row))
    note(connection, "extend", "campaign", campaign_id, actor=actor, now=now, **row)
    return load_campaign(connection, campaign_id)


def load_campaign(connection: Connection, campaign_id: int) -> Campaign:
    """The campaign of a number."""
    return _one(connection, "id", campaign_id, f"campaign {campaign_id}")


def load_campaign_by_slug(connection: Connection, slug: str) -> Campaign:
    """The campaign of a name in an address."""
    return _one(connection, "slug", slug, f"campaign {slug[:60]!r}")


def lock_campaign(connection: Connection, campaign_id: int) -> Campaign:
    """The campaign of a number, which nobody else can lock or change until this transaction ends."""
    connection.execute(select(CAMPAIGN.c.id).where(CAMPAIGN.c.id == campaign_id).with_for_update(key_share=True))
    return load_campaign(connection, campaign_id)


def load_campaigns(connection: Connection, *, board_id: int | None = None) -> tuple[Campaign, ...]:
    """All campaigns, or those of a board, the oldest first."""
    query = _query() if board_id is None else _query().where(CAMPAIGN.c.board_id == board_id)
    return tuple(_stored(row) for row in connection.execute(query.order_by(CAMPAIGN.c.id)).mappings())


def save_started(connection: Connection, campaign_id: int, *, actor: int | None, now: datetime) -> None:
    """Say that a draft is to be planned and opened; of two who say so at once the second is refused."""
    draft = (SETTINGS.c.campaign_id == campaign_id) & SETTINGS.c.started_at.is_(None)
    if connection.execute(update(SETTINGS).where(draft).values(started_at=now)).rowcount != 1:
        raise ConflictError(f"campaign {campaign_id} has been started already")
    note(connection, "start", "campaign", campaign_id, actor=actor, now=now)


def save_unstarted(connection: Connection, campaign_id: int, *, now: datetime) -> None:
    """Make a campaign a draft again because its plan could not be made."""
    connection.execute(update(SETTINGS).where(SETTINGS.c.campaign_id == campaign_id).values(started_at=None))
    note(connection, "start failed", "campaign", campaign_id, actor=None, now=now)


def save_planned(connection: Connection, campaign_id: int, *, now: datetime) -> None:
    """Say that a plan is made."""
    first = {"planned_at": func.coalesce(SETTINGS.c.planned_at, now)}
    connection.execute(update(SETTINGS).where(SETTINGS.c.campaign_id == campaign_id).values(**first))


def save_campaign_state(
    connection: Connection, campaign_id: int, state: CampaignState, *, actor: int | None, now: datetime
) -> None:
    """Open, pause, resume or close a campaign; a closed one can be opened again."""
    before = lock_campaign(connection, campaign_id)
    if state not in _STEPS[before.state]:
        raise ConflictError(f"campaign {before.slug!r} is {before.state} and cannot become {state}")
    own = "open" if state == "paused" else state
    connection.execute(update(CAMPAIGN).where(CAMPAIGN.c.id == campaign_id).values(state=own))
    paused = {"paused_at": now if state == "paused" else None}
    connection.execute(update(SETTINGS).where(SETTINGS.c.campaign_id == campaign_id).values(**paused))
    note(connection, state, "campaign", campaign_id, actor=actor, now=now)


_FIELDS: Final = tuple(field.name for field in dataclasses.fields(CampaignSettings))
_PLANNED: Final = {"board_id", *(name for name, setting in CAMPAIGN_SETTINGS.items() if setting.planned)}
_COLUMNS: Final = frozenset(SETTINGS.c.keys()) - {"more_settings"}


def _rows(settings: CampaignSettings) -> tuple[dict[str, Any], dict[str, Any]]:
    """What goes into the two tables; settings without a column of their own go into `more_settings`."""
    row = {name: getattr(settings, name) for name in _FIELDS}
    row |= {"slug": clean_slug(settings.slug), "title": clean_name(settings.title)}
    own = {name: row.pop(name) for name in _FIELDS if name in CAMPAIGN.c}
    more = {name: CAMPAIGN_SETTINGS[name].kind.plain(row.pop(name)) for name in {*row} - _COLUMNS}
    return own, {**row, "more_settings": more or None}


# Made once, because every page asks for a campaign.
@cache
def _query() -> Any:
    paused = (CAMPAIGN.c.state == "open") & SETTINGS.c.paused_at.is_not(None)
    columns: list[ColumnElement[Any]] = [case((paused, "paused"), else_=CAMPAIGN.c.state).label("state")]
    for field in dataclasses.fields(Campaign):
        if field.name in CAMPAIGN.c and field.name != "state":
            columns.append(CAMPAIGN.c[field.name])
        elif field.name in _COLUMNS:
            columns.append(SETTINGS.c[field.name])
    columns.append(SETTINGS.c.more_settings)
    return select(*columns).join_from(CAMPAIGN, SETTINGS, SETTINGS.c.campaign_id == CAMPAIGN.c.id)


@cache
def _query_by(name: str) -> Any:
    return _query().where(CAMPAIGN.c[name] == bindparam("wanted", type_=CAMPAIGN.c[name].type))


def _one(connection: Connection, name: str, wanted: object, what: str) -> Campaign:
    row = connection.execute(_query_by(name), {"wanted": wanted}).mappings().one_or_none()
    if row is None:
        raise NotFoundError(f"there is no {what}")
    return _stored(row)


def _stored(row: RowMapping) -> Campaign:
    values = dict(row)
    return Campaign(**{**(values.pop("more_settings") or {}), **values})


KIND: Final = "campaign"
READ: Final = "read"
PLAN: Final = "plan"
LOOK: Final = "look"
UPKEEP: Final = "upkeep"


def save_campaign_job(
    connection: Connection, campaign: Campaign, step: str, *, more: Mapping[str, Any] | None = None, now: datetime
) -> Job:
    """Queue a step of a campaign; one that waits already and is to do the same is returned instead.

    more  what the campaign is to have more of
    """
    payload = {"campaign_id": campaign.id, "step": step} | ({"more": dict(more)} if more else {})
    before = load_jobs(connection, kinds=(KIND,), begins=f"{KIND}:{campaign.id}:{step}:")
    waiting = [job for job in before if job.state == "queued" and job.payload == payload]
    if waiting:
        return waiting[0]
    return save_job(connection, KIND, f"{KIND}:{campaign.id}:{step}:{len(before) + 1}", payload, now=now)


def save_upkeep_jobs(connection: Connection, board_id: int, run_id: int, *, now: datetime) -> int:
    """Let every standing campaign of a board take in a run that was scored; return how many there are."""
    standing = [
        campaign
        for campaign in load_campaigns(connection, board_id=board_id)
        if campaign.standing and campaign.planned_at is not None and campaign.state != "closed"
    ]
    for campaign in standing:
        payload = {"campaign_id": campaign.id, "step": UPKEEP, "run_id": run_id}
        save_job(connection, KIND, f"{KIND}:{campaign.id}:{UPKEEP}:{run_id}", payload, now=now)
    return len(standing)


def load_campaign_problems(connection: Connection, campaign_id: int) -> tuple[str, ...]:
    """Why the last step of a campaign failed, in sentences; empty if it did not, or is still to be done.

    Empty also if the settings or texts were changed since the plan could not be made: that may have fixed it.
    """
    last = load_jobs(connection, kinds=(KIND,), begins=f"{KIND}:{campaign_id}:", most=1)
    if not last:
        return ()
    if last[0].state == "failed":
        return (f"the server could not do this step ({last[0].payload['step']}): {last[0].error}",)
    result: Any = last[0].result or {}
    if "version" in result and result["version"] != load_campaign(connection, campaign_id).version:
        return ()
    return tuple(result.get("problems", ()))
