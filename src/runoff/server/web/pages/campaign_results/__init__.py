"""What a campaign has found so far, while judging goes on."""

from __future__ import annotations

from runoff.server.web.pages.campaign_results._context import CampaignResultsPage
from runoff.server.web.pages.campaign_results._routes import router

__all__ = ["CampaignResultsPage", "router"]
