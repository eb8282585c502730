"""The judging campaigns of a board: all of them, a new one, and the settings of one."""

from __future__ import annotations

from runoff.server.web.pages.campaigns._context import CampaignFormPage, CampaignLine, CampaignsPage
from runoff.server.web.pages.campaigns._routes import router

__all__ = ["CampaignFormPage", "CampaignLine", "CampaignsPage", "router"]
