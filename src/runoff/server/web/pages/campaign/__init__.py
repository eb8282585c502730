"""A judging campaign: before the start what it will cost, then how far it is, who comes in, and what comes next."""

from __future__ import annotations

from runoff.server.web.pages.campaign._context import (
    CampaignLinkLine,
    CampaignPage,
    ExtensionView,
    Preparation,
    Progress,
)
from runoff.server.web.pages.campaign._routes import router

__all__ = ["CampaignPage", "ExtensionView", "CampaignLinkLine", "Preparation", "Progress", "router"]
