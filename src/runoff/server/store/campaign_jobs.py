"""Background work of campaigns: reading runs, making plans, seeing what more would take, taking in later runs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from runoff.server.store.campaigns import Campaign, load_campaign, load_campaigns
from runoff.server.store.jobs import Job, load_jobs, save_job

if TYPE_CHECKING:
    from sqlalchemy import Connection

KIND: Final = "campaign"
READ: Final = "read"
PLAN: Final = "plan"
LOOK: Final = "look"
UPKEEP: Final = "upkeep"


def save_campaign_job(
    connection: Connection, campaign: Campaign, step: str, *, more: Mapping[str, Any] | None = None, now: datetime
) -> Job:  # fmt: skip
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
        one
        for one in load_campaigns(connection, board_id=board_id)
        if one.standing and one.planned_at is not None and one.state != "closed"
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
