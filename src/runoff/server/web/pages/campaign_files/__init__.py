"""The files of a campaign: what `runoff tally` reads, out of it and into it."""

from __future__ import annotations

from runoff.server.web.pages.campaign_files._context import CampaignFilesPage, FileLine
from runoff.server.web.pages.campaign_files._routes import router

__all__ = ["CampaignFilesPage", "FileLine", "router"]
