"""What the page of a campaign's results shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.server.web.campaign_visits import CampaignHead
from runoff.server.web.frame.context import PageContext, shown

if TYPE_CHECKING:
    from runoff.reports.page.tables import Table
    from runoff.reports.sections import Fact
    from runoff.server.web.frame.charts import ChartView


@dataclass(frozen=True, kw_only=True)
class CampaignResultsPage(PageContext):
    """The page of a campaign's results."""

    board: str = shown("The name of the board.")
    head: CampaignHead = shown("What stands above the page.")
    address: str = shown("Where the page is.")
    campaign_address: str = shown("Where the campaign is.")
    is_earlier: bool = shown("Whether newer judgments are being counted, and this was before them.")
    facts: tuple[Fact, ...] = shown("How far it is, and what the sequential way saves.")
    sentences: tuple[str, ...] = shown("What was found, in sentences that claim no more than the numbers.")
    warning: str = shown("What to beware of while judgments are missing; empty when all are there.")
    charts: tuple[ChartView, ...] = shown("Win ratios, the board under both labels, and pool sizes.")
    tables: tuple[Table, ...] = shown("Win ratios, better than perfect, and the impact on the board.")
    answers: Table | None = shown("The best known answers, those that differ from the labels first.")
