"""Live results of a campaign: how far it is, what it costs, and what the judgments say so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from runoff.preferences import SequentialResult, quality
from runoff.results.tally import TallyResult
from runoff.results.tally_tables import TallyOptions
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.judging.next_pairs import AS_GOOD_AS, PER_MATCH, load_searches
from runoff.server.cases.judging.sources import base_labels, load_sources
from runoff.server.cases.judging.votes import load_task_table, load_votes
from runoff.server.store.campaign_plans import CampaignProgress, load_last_activity, load_progress
from runoff.server.store.campaign_pools import PoolItem, load_campaign_runs, load_pool, load_removed_known_pairs
from runoff.server.store.campaigns import Campaign
from runoff.server.store.files import FileStore
from runoff.server.store.judgments import load_judgment_count, load_seconds
from runoff.server.store.participation import load_completions
from runoff.tables.preferences import Preferences
from runoff.verbs.tally import tally

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, kw_only=True)
class CampaignFigures:
    """Progress, money and time; all of it is cheap to ask for.

    progress             tasks and judgments of the plan so far; a sequential campaign plans as it goes
    expected_judgments   of real pairs, in all: those of the plan, or for `sequential` an estimate: 4.5 a match
    full_judgments       what judging all pairs of the pools would take, for `sequential` three times each, which finds
                         the best documents about as often; less the expected ones: what is saved
    spent, expected_cost money for tasks that are done, and for all of them
    seconds_per_pair     the median of the judgments so far, or what is expected if there is none
    hours_left           of all assessors together
    completions, paid    codes that were given out, and what they pay
    """

    progress: CampaignProgress
    expected_judgments: int
    full_judgments: int
    spent: float
    expected_cost: float
    seconds_per_pair: float
    hours_left: float
    completions: int
    paid: float

    @property
    def saved_judgments(self) -> int:
        """Judgments that the sequential way saves against all pairs; 0 for `full`."""
        return max(self.full_judgments - self.expected_judgments, 0)

    @property
    def share_done(self) -> float:
        """How much of the judgments there is, from 0 to 1."""
        return self.progress.judgments_done / self.expected_judgments if self.expected_judgments else 0.0


@dataclass(frozen=True, kw_only=True, eq=False)
class CampaignResults:
    """What a campaign has found so far.

    tally  win ratios, best known answers, better than perfect (A and B), impact with intervals; None before the first
           judgment that counts
    best   of each query that is decided the best known answers, for `sequential` the one that has met everybody
    """

    figures: CampaignFigures
    tally: TallyResult | None
    best: tuple[tuple[str, tuple[str, ...]], ...]


def results_key(connection: Connection, campaign: Campaign) -> tuple[object, ...]:
    """What identifies a state of the results: with an equal key they need not be computed again."""
    return (
        campaign.id,
        campaign.version,
        load_judgment_count(connection, campaign.id),
        load_last_activity(connection, campaign.id),
        len(load_campaign_runs(connection, campaign.id)),
        base_labels(connection, campaign).id,
        load_removed_known_pairs(connection, campaign.id),
    )


def load_results(
    connection: Connection,
    files: FileStore,
    campaign: Campaign,
    *,
    actor: Actor,
) -> CampaignResults:
    """Everything that a campaign has found so far: the numbers of `runoff tally` on its export."""
    require(actor, "manage campaign")
    votes = load_votes(connection, campaign)
    counted = tally_of(connection, files, campaign, votes)
    best: tuple[tuple[str, tuple[str, ...]], ...] = ()
    if campaign.way == "sequential":
        found = load_searches(connection, campaign)
        best = tuple((one.query_id, (one.best,)) for one in found if one.is_final)
    elif counted is not None:
        best = tuple(zip(counted.tournament.query_ids, counted.tournament.winners, strict=True))
    return CampaignResults(figures=load_figures(connection, campaign), tally=counted, best=best)


def tally_of(connection: Connection, files: FileStore, campaign: Campaign, votes: Preferences) -> TallyResult | None:
    """The tally of a campaign's judgments on its runs and base labels; None if no judgment counts."""
    if not len(votes) or not len(quality(votes).kept):
        return None
    sources = load_sources(connection, files, campaign)
    tasks = load_task_table(connection, campaign)
    options = TallyOptions(too_fast=campaign.too_fast)
    return tally(votes, runs=sources.runs, qrels=sources.qrels, tasks=tasks, options=options)


def load_figures(connection: Connection, campaign: Campaign) -> CampaignFigures:
    """Progress, money and time of a campaign."""
    progress = load_progress(connection, campaign.id)
    full, expected = _full_pairs(load_pool(connection, campaign.id)) * campaign.judgments_per_pair, progress.judgments
    if campaign.way == "sequential":
        found = load_searches(connection, campaign)
        full = sum(one.full_pairing(AS_GOOD_AS) for one in found)
        expected = progress.judgments_done + sum(_still_expected(one) for one in found)
    seconds = load_seconds(connection, campaign.id)
    median = float(np.median(seconds)) if seconds else campaign.seconds_per_pair
    rate = campaign.pay + campaign.fee
    per_task = campaign.pairs_per_task
    tasks = (
        progress.tasks
        if campaign.way == "full"
        else progress.tasks_done + -(-(expected - progress.judgments_done) // per_task)
    )
    left = expected - progress.judgments_done
    tests = -(-left // per_task) * campaign.tests_per_task
    paid = load_completions(connection, campaign.id)
    return CampaignFigures(
        progress=progress,
        expected_judgments=expected,
        full_judgments=full,
        spent=round(progress.tasks_done * rate, 2),
        expected_cost=round(tasks * rate, 2),
        seconds_per_pair=median,
        hours_left=(left + tests) * median / 3600,
        completions=len(paid),
        paid=round(sum(one.pay for one in paid), 2),
    )


def _still_expected(found: SequentialResult) -> int:
    """Judgments that a search can be expected to take from here on: those of the match that is due, and of the rest."""
    if found.due is None:
        return 0
    return max(found.due.due, round(PER_MATCH) - found.due.judgments) + round(PER_MATCH * found.waiting)


def _full_pairs(items: tuple[PoolItem, ...]) -> int:
    sizes: dict[str, int] = {}
    for item in items:
        sizes[item.query_id] = sizes.get(item.query_id, 0) + 1
    return sum(size * (size - 1) // 2 for size in sizes.values())
