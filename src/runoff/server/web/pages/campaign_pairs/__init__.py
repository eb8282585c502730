"""The test pairs of a campaign: seen, drawn, added, removed."""

from __future__ import annotations

from runoff.server.web.pages.campaign_pairs._context import KnownPairsPage, PairLine
from runoff.server.web.pages.campaign_pairs._routes import router

__all__ = ["PairLine", "KnownPairsPage", "router"]
