"""How the assessors of a campaign judge: test pairs, speed, sides, agreement and pay."""

from __future__ import annotations

from runoff.server.web.pages.campaign_quality._context import AssessorLine, QualityPage
from runoff.server.web.pages.campaign_quality._routes import router

__all__ = ["AssessorLine", "QualityPage", "router"]
