"""Live results of campaigns: computed once per state of their judgments, one at a time, then cached in memory."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from runoff.files.qrels import read_qrels
from runoff.preferences.maintenance import best_known
from runoff.server.cache import ComputingSlots, Found, Kept, Latest
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.judging.assessors import AssessorView, load_assessor_numbers, load_assessors
from runoff.server.cases.judging.label_version import ProposedLabels, propose_labels
from runoff.server.cases.judging.results import (
    CampaignFigures,
    CampaignResults,
    load_figures,
    load_results,
    results_key,
)
from runoff.server.cases.judging.sources import base_labels
from runoff.server.cases.judging.start import CampaignPreview, preview_ways
from runoff.server.cases.uploads.limited_process import LimitedReader
from runoff.server.store.campaign_plans import load_progress
from runoff.server.store.campaign_pools import load_campaign_runs
from runoff.server.store.campaigns import Campaign
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore
from runoff.server.store.participation import load_completions

if TYPE_CHECKING:
    from runoff.tables.campaign_settings import Way

MOST_KEPT: Final = 16
MOST_WAITING: Final = 20
QUEUE: Final = 4
"""Campaigns of which each thing is kept, requests that may wait for what another computes, and those that may wait to
compute."""
EARLIER_SECONDS: Final = 10
"""After this many seconds a page that shows earlier numbers looks for the newest."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LiveResults:
    """Results with the answers that the labels held before; `key` holds everything that they depend on."""

    key: Hashable
    results: CampaignResults
    before: dict[str, tuple[str, ...]]


class CampaignMemory:
    """The results, figures, previews and proposals of campaigns that one server caches."""

    def __init__(self, database: Database, files: FileStore, *, reader: LimitedReader) -> None:
        self._database = database
        self._files = files
        self._reader = reader
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

    def results_of(self, campaign: Campaign, *, actor: Actor) -> Found[LiveResults]:
        """The results of a campaign, for an organiser: as of now, or the last ones while those of now are computed."""
        require(actor, "manage campaign")
        key = self._key(campaign)

        def make() -> LiveResults:
            with self.turns, self._database.read() as connection:
                labels = base_labels(connection, campaign)
                qrels = read_qrels(self._files.path(str(labels.content_hash)), name=labels.name)
                found = load_results(connection, self._files, campaign, actor=actor)
            return LiveResults(key=key, results=found, before=best_known(qrels))

        return self.latest_results.get(campaign.id, key, make)

    def figures_of(self, campaign: Campaign, *, actor: Actor) -> CampaignFigures:
        """Progress, money and time of a campaign as of now, for an organiser."""
        require(actor, "manage campaign")
        with self._database.read() as connection:
            paid = len(load_completions(connection, campaign.id))
            key = (results_key(connection, campaign), load_progress(connection, campaign.id), paid)

        def make() -> CampaignFigures:
            with self._database.read() as connection:
                return load_figures(connection, campaign)

        return self.figures.get(key, make)

    def assessors_of(self, campaign: Campaign, *, actor: Actor) -> Found[tuple[AssessorView, ...]]:
        """Everybody who judges in a campaign, for an organiser; who takes part and what is due is asked every time."""
        require(actor, "see assessors")

        def make() -> dict[str, dict[str, Any]]:
            with self.turns, self._database.read() as connection:
                return load_assessor_numbers(connection, campaign)

        found = self.latest_numbers.get(campaign.id, self._key(campaign), make)
        with self._database.read() as connection:
            views = load_assessors(connection, campaign, numbers=found.value, actor=actor)
        return Found(value=views, is_current=found.is_current)

    def preview_of(self, campaign: Campaign, *, actor: Actor) -> dict[Way, CampaignPreview]:
        """What a draft would be in each way, for an organiser; its runs must have been read."""
        require(actor, "manage campaign")
        with self._database.read() as connection:
            labels = base_labels(connection, campaign)
            unread = load_campaign_runs(connection, campaign.id, unread=True)
            key = (campaign.id, campaign.version, labels.id, load_campaign_runs(connection, campaign.id), unread)

        def make() -> dict[Way, CampaignPreview]:
            with self.turns, self._database.read() as connection:
                return preview_ways(connection, self._files, campaign)

        return self.previews.get(key, make)

    def proposal_of(self, campaign: Campaign, *, actor: Actor) -> Found[ProposedLabels]:
        """What new labels would hold and change, for an organiser: as of now, or the last while that is computed."""
        require(actor, "manage campaign")

        def make() -> ProposedLabels:
            with self.turns:
                return propose_labels(
                    self._database,
                    self._files,
                    campaign.id,
                    actor=actor,
                    reader=self._reader,
                )

        return self.latest_proposals.get(campaign.id, self._key(campaign), make)

    def _key(self, campaign: Campaign) -> Hashable:
        with self._database.read() as connection:
            return results_key(connection, campaign)
