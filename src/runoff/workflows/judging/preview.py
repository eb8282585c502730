"""What a campaign will be, before it starts: queries, pools, tasks, cost and time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from runoff.preferences import JudgingCost, Pools, judging_cost
from runoff.store.campaigns import Campaign
from runoff.store.files import FileStore
from runoff.store.models.campaigns import WAYS, Way
from runoff.workflows.judging.sources import campaign_pools, load_sources

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, kw_only=True)
class CampaignPreview:
    """A campaign in numbers.

    runs, queries, documents  what is pooled
    sizes       (documents in a pool, queries with such a pool), the smallest first
    full_pairs  all pairs of the pools
    pairs       those that are judged: all, or for `sequential` one fewer than each pool has documents
    judgments   of real pairs; test_judgments: of test pairs
    cost        tasks and money; for `sequential` if every pair takes all its judgments
    hours       of all assessors together, test pairs among them
    """

    runs: int
    queries: int
    documents: int
    sizes: tuple[tuple[int, int], ...]
    full_pairs: int
    pairs: int
    judgments: int
    test_judgments: int
    cost: JudgingCost
    hours: float


def preview_campaign(connection: Connection, files: FileStore, campaign: Campaign) -> CampaignPreview:
    """What starting a campaign would do; its runs must have been read (`prepare_campaign`)."""
    sources = load_sources(connection, files, campaign)
    return preview_of(campaign, campaign_pools(connection, campaign, sources), runs=len(sources.runs))


def preview_ways(connection: Connection, files: FileStore, campaign: Campaign) -> dict[Way, CampaignPreview]:
    """What starting a campaign would do in each way, from the same pools."""
    sources = load_sources(connection, files, campaign)
    pools = campaign_pools(connection, campaign, sources)
    return {way: preview_of(replace(campaign, way=way), pools, runs=len(sources.runs)) for way in WAYS}


def preview_of(campaign: Campaign, pools: Pools, *, runs: int) -> CampaignPreview:
    """The numbers of some pools."""
    met = int((pools.sizes[pools.sizes > 0] - 1).sum())
    pairs = pools.pair_count if campaign.way == "full" else met
    cost = judging_cost(
        pairs,
        judgments_per_pair=campaign.judgments_per_pair,
        pairs_per_task=campaign.pairs_per_task,
        pay=campaign.pay,
        fee=campaign.fee,
    )
    judgments, tests = pairs * campaign.judgments_per_pair, cost.tasks * campaign.tests_per_task
    return CampaignPreview(
        runs=runs,
        queries=len(pools.query_ids),
        documents=len(pools.item_doc),
        sizes=tuple((size, count) for size, count in enumerate(pools.histogram.tolist()) if count),
        full_pairs=pools.pair_count,
        pairs=pairs,
        judgments=judgments,
        test_judgments=tests,
        cost=cost,
        hours=(judgments + tests) * campaign.seconds_per_pair / 3600,
    )
