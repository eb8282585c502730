"""Managing campaigns, for organisers: make, change, start, pause, resume, close."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from runoff.errors import UsageError
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.judging.extend import at_once, check_runs, is_small
from runoff.server.cases.judging.sources import base_labels, read_depth
from runoff.server.cases.judging.start import plan_campaign
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.store.campaign_pools import (
    load_campaign_runs,
    save_campaign_run_gone,
    save_campaign_runs,
    save_tops_forgotten,
)
from runoff.server.store.campaigns import (
    PLAN,
    READ,
    Campaign,
    load_campaign,
    save_campaign,
    save_campaign_job,
    save_campaign_settings,
    save_campaign_state,
    save_started,
)
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore
from runoff.tables.campaign_settings import CampaignSettings

if TYPE_CHECKING:
    from sqlalchemy import Connection


def create_campaign(
    database: Database, settings: CampaignSettings, run_ids: Sequence[int], *, actor: Actor, now: datetime
) -> Campaign:
    """Make a draft with its runs; they are read by a job, then it can be previewed."""
    require(actor, "manage campaign")

    def work(connection: Connection) -> Campaign:
        made = save_campaign(connection, settings, actor=actor.id, now=now)
        base_labels(connection, made)
        _add_runs(connection, made, run_ids, actor, now)
        save_campaign_job(connection, made, READ, now=now)
        return made

    return database.write(work)


def change_campaign(
    database: Database, campaign_id: int, settings: CampaignSettings, *, version: int, actor: Actor, now: datetime
) -> Campaign:
    """Change the settings; `version` is the one that was seen. What the plan was made from is fixed by the start."""
    require(actor, "manage campaign")

    def work(connection: Connection) -> Campaign:
        before = load_campaign(connection, campaign_id)
        made = save_campaign_settings(connection, campaign_id, settings, version=version, actor=actor.id, now=now)
        base_labels(connection, made)
        if _read_as(before) != _read_as(made):
            save_tops_forgotten(connection, campaign_id)
            save_campaign_job(connection, made, READ, now=now)
        return made

    return database.write(work)


def choose_runs(
    database: Database, campaign_id: int, run_ids: Sequence[int], *, actor: Actor, now: datetime
) -> Campaign:
    """Let a draft have these runs and no others."""
    require(actor, "manage campaign")

    def work(connection: Connection) -> Campaign:
        campaign = load_campaign(connection, campaign_id)
        if campaign.started_at is not None:
            raise UsageError(f"campaign {campaign.slug!r} has started; extend it to add runs")
        for run_id in set(load_campaign_runs(connection, campaign_id)) - set(run_ids):
            save_campaign_run_gone(connection, campaign_id, run_id, actor=actor.id, now=now)
        if _add_runs(connection, campaign, run_ids, actor, now):
            save_campaign_job(connection, campaign, READ, now=now)
        return campaign

    return database.write(work)


def start_campaign(
    database: Database,
    files: FileStore,
    campaign_id: int,
    *,
    actor: Actor,
    now: Callable[[], datetime],
    reader: LimitedReader = USUAL_READER,
) -> Campaign:
    """Make the plan and open the campaign: at once if it is small, else by a job, and it stays a draft until then."""
    require(actor, "manage campaign")

    def work(connection: Connection) -> Campaign:
        campaign = load_campaign(connection, campaign_id)
        base_labels(connection, campaign)
        if not load_campaign_runs(connection, campaign_id):
            raise UsageError(f"campaign {campaign.slug!r} has no runs; expected one or more; choose some")
        save_started(connection, campaign_id, actor=actor.id, now=now())
        return load_campaign(connection, campaign_id)

    return _planned(database, files, database.write(work), now, reader)


def pause_campaign(database: Database, campaign_id: int, *, actor: Actor, now: datetime) -> Campaign:
    """Give no more tasks for now; those in the hands of assessors can be finished."""
    return _moved(database, campaign_id, "paused", actor, now)


def resume_campaign(database: Database, campaign_id: int, *, actor: Actor, now: datetime) -> Campaign:
    """Give tasks again, after a pause or an end."""
    return _moved(database, campaign_id, "open", actor, now)


def close_campaign(database: Database, campaign_id: int, *, actor: Actor, now: datetime) -> Campaign:
    """End a campaign; tasks in the hands of assessors can be finished, and it can be resumed."""
    return _moved(database, campaign_id, "closed", actor, now)


def _moved(database: Database, campaign_id: int, state: str, actor: Actor, now: datetime) -> Campaign:
    require(actor, "manage campaign")

    def work(connection: Connection) -> Campaign:
        campaign = load_campaign(connection, campaign_id)
        if campaign.planned_at is None:
            raise UsageError(f"campaign {campaign.slug!r} is a draft; start it first")
        save_campaign_state(connection, campaign_id, state, actor=actor.id, now=now)  # type: ignore[arg-type]
        return load_campaign(connection, campaign_id)

    return database.write(work)


def _planned(
    database: Database, files: FileStore, campaign: Campaign, now: Callable[[], datetime], reader: LimitedReader
) -> Campaign:
    with database.read() as connection:
        can_be_now = campaign.doc_texts is None and is_small(connection, campaign)
    if can_be_now:
        return plan_campaign(database, files, campaign.id, now=now, reader=at_once(reader))
    database.write(lambda connection: save_campaign_job(connection, campaign, PLAN, now=now()))
    return campaign


def _add_runs(
    connection: Connection, campaign: Campaign, run_ids: Sequence[int], actor: Actor, now: datetime
) -> tuple[int, ...]:
    check_runs(connection, campaign, run_ids)
    return save_campaign_runs(connection, campaign.id, run_ids, actor=actor.id, now=now)


def _read_as(campaign: Campaign) -> tuple[object, ...]:
    """What the reading of the runs depends on."""
    return campaign.board_id, campaign.label_set, read_depth(campaign)
