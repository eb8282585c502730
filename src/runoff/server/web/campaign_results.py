"""What campaigns have found so far: computed once per state of their judgments, one at a time, then kept in memory."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from runoff.files.qrels import read_qrels
from runoff.preferences.maintenance import best_known
from runoff.server.cache import ComputingSlots, Kept
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.judging.assessors import AssessorView, load_assessor_numbers, load_assessors
from runoff.server.cases.judging.label_version import ProposedLabels, propose_labels
from runoff.server.cases.judging.preview import CampaignPreview, preview_ways
from runoff.server.cases.judging.results import (
    CampaignFigures,
    CampaignResults,
    load_figures,
    load_results,
    results_key,
)
from runoff.server.cases.judging.sources import base_labels
from runoff.server.site import Site
from runoff.server.store.campaign_plans import load_progress
from runoff.server.store.campaign_pools import load_campaign_runs
from runoff.server.store.campaigns import Campaign
from runoff.server.store.participation import load_completions
from runoff.server.web.background_value import Found, Latest

if TYPE_CHECKING:
    from runoff.server.store.models.campaigns import Way

MOST_KEPT: Final = 16
MOST_WAITING: Final = 20
QUEUE: Final = 4
"""Campaigns of which each thing is kept, requests that may wait for what another computes, and those that may wait to
compute."""
EARLIER_SECONDS: Final = 10
"""After so many seconds a page that shows earlier numbers looks for the newest."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LiveResults:
    """Results with the answers that the labels held before; `key` holds everything that they depend on."""

    key: Hashable
    results: CampaignResults
    before: dict[str, tuple[str, ...]]


class CampaignMemory:
    """What one server keeps of its campaigns."""

    def __init__(self) -> None:
        self.results: Kept[LiveResults] = Kept(most=MOST_KEPT, waiting=MOST_WAITING)
        self.figures: Kept[CampaignFigures] = Kept(most=4 * MOST_KEPT, waiting=MOST_WAITING)
        self.previews: Kept[dict[Way, CampaignPreview]] = Kept(most=MOST_KEPT, waiting=MOST_WAITING)
        self.proposals: Kept[ProposedLabels] = Kept(most=MOST_KEPT, waiting=MOST_WAITING)
        self.numbers: Kept[dict[str, dict[str, Any]]] = Kept(most=MOST_KEPT, waiting=MOST_WAITING)
        self.latest_results = Latest(self.results)
        self.latest_proposals = Latest(self.proposals)
        self.latest_numbers = Latest(self.numbers)
        # One at a time: threads that compute share one interpreter, and pages of boards want it too.
        self.turns = ComputingSlots(at_once=1, waiting=QUEUE)


_OF_SITES: WeakKeyDictionary[Site, CampaignMemory] = WeakKeyDictionary()


def memory_of(site: Site) -> CampaignMemory:
    """What a server keeps; gone with it."""
    if site not in _OF_SITES:
        _OF_SITES.setdefault(site, CampaignMemory())
    return _OF_SITES[site]


def results_of_site(site: Site, campaign: Campaign, *, actor: Actor) -> Found[LiveResults]:
    """The results of a campaign, for an organiser: as of now, or the last ones while those of now are computed."""
    require(actor, "manage campaign")
    memory, key = memory_of(site), _key(site, campaign)

    def make() -> LiveResults:
        with memory.turns, site.database.read() as connection:
            labels = base_labels(connection, campaign)
            qrels = read_qrels(site.files.path(str(labels.content_hash)), name=labels.name)
            found = load_results(connection, site.files, campaign, actor=actor)
        return LiveResults(key=key, results=found, before=best_known(qrels))

    return memory.latest_results.get(campaign.id, key, make)


def figures_of_site(site: Site, campaign: Campaign, *, actor: Actor) -> CampaignFigures:
    """Progress, money and time of a campaign as of now, for an organiser."""
    require(actor, "manage campaign")
    with site.database.read() as connection:
        paid = len(load_completions(connection, campaign.id))
        key = (results_key(connection, campaign), load_progress(connection, campaign.id), paid)

    def make() -> CampaignFigures:
        with site.database.read() as connection:
            return load_figures(connection, campaign)

    return memory_of(site).figures.get(key, make)


def assessors_of_site(site: Site, campaign: Campaign, *, actor: Actor) -> Found[tuple[AssessorView, ...]]:
    """Everybody who judges in a campaign, for an organiser; who takes part and what is due is asked every time."""
    require(actor, "see assessors")
    memory = memory_of(site)

    def make() -> dict[str, dict[str, Any]]:
        with memory.turns, site.database.read() as connection:
            return load_assessor_numbers(connection, campaign)

    found = memory.latest_numbers.get(campaign.id, _key(site, campaign), make)
    with site.database.read() as connection:
        views = load_assessors(connection, campaign, numbers=found.value, actor=actor)
    return Found(value=views, is_current=found.is_current)


def preview_of_site(site: Site, campaign: Campaign, *, actor: Actor) -> dict[Way, CampaignPreview]:
    """What a draft would be in each way, for an organiser; its runs must have been read."""
    require(actor, "manage campaign")
    memory = memory_of(site)
    with site.database.read() as connection:
        labels = base_labels(connection, campaign)
        unread = load_campaign_runs(connection, campaign.id, unread=True)
        key = (campaign.id, campaign.version, labels.id, load_campaign_runs(connection, campaign.id), unread)

    def make() -> dict[Way, CampaignPreview]:
        with memory.turns, site.database.read() as connection:
            return preview_ways(connection, site.files, campaign)

    return memory.previews.get(key, make)


def proposal_of_site(site: Site, campaign: Campaign, *, actor: Actor) -> Found[ProposedLabels]:
    """What new labels would hold and change, for an organiser: as of now, or the last while that is computed."""
    require(actor, "manage campaign")
    memory = memory_of(site)

    def make() -> ProposedLabels:
        with memory.turns:
            return propose_labels(
                site.database,
                site.files,
                campaign.id,
                actor=actor,
                max_bytes=site.settings.read_limit,
                reader=site.reader,
            )

    return memory.latest_proposals.get(campaign.id, _key(site, campaign), make)


def _key(site: Site, campaign: Campaign) -> Hashable:
    with site.database.read() as connection:
        return results_key(connection, campaign)
