"""Judging, for assessors: consent, one pair after the other, the end with its code."""

from __future__ import annotations

from runoff.server.web.pages.judge._context import CodeView, JudgePage, LeavePage, OwnCampaignsPage, PairView
from runoff.server.web.pages.judge._routes import router

__all__ = ["CodeView", "JudgePage", "LeavePage", "OwnCampaignsPage", "PairView", "router"]
