"""What a campaign will be, before it starts: queries, pools, tasks, cost and time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from runoff.preferences import JudgingCost, Pools, judging_cost
from runoff.server.cases.judging.next_pairs import AS_GOOD_AS, PER_MATCH
from runoff.server.cases.judging.sources import campaign_pools, load_sources
from runoff.server.store.campaigns import Campaign
from runoff.server.store.files import FileStore
from runoff.server.store.models.campaigns import WAYS, Way

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
    cost        tasks and money; for `sequential` an estimate, as are its judgments: 4.5 for each pair in the mean
    full_judgments  what judging all pairs would take; for `sequential` three times each, which is about as good
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
    full_judgments: int = 0


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
    judgments = pairs * campaign.judgments_per_pair if campaign.way == "full" else round(pairs * PER_MATCH)
    cost = judging_cost(
        pairs if campaign.way == "full" else judgments,
        judgments_per_pair=campaign.judgments_per_pair if campaign.way == "full" else 1,
        pairs_per_task=campaign.pairs_per_task,
        pay=campaign.pay,
        fee=campaign.fee,
    )
    tests = cost.tasks * campaign.tests_per_task
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
        full_judgments=pools.pair_count * (campaign.judgments_per_pair if campaign.way == "full" else AS_GOOD_AS),
        hours=(judgments + tests) * campaign.seconds_per_pair / 3600,
    )
