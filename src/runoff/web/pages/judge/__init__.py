"""Judging, for assessors: consent, one pair after the other, the end with its code."""

from __future__ import annotations

from runoff.web.pages.judge._context import JudgePage, LeavePage, OwnCampaignsPage
from runoff.web.pages.judge._routes import router

__all__ = ["JudgePage", "LeavePage", "OwnCampaignsPage", "router"]
