"""A new version of the labels out of a campaign: seen first, then made."""

from __future__ import annotations

from runoff.server.web.pages.campaign_labels._context import MadeLine, NewLabelsPage
from runoff.server.web.pages.campaign_labels._routes import router

__all__ = ["MadeLine", "NewLabelsPage", "router"]
