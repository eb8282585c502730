"""A team: its people, what it submitted, and what the rule of each board leaves it."""

from __future__ import annotations

from runoff.server.web.pages.team._context import SubmittedRun, TeamBoard, TeamPage
from runoff.server.web.pages.team._routes import router

__all__ = ["SubmittedRun", "TeamBoard", "TeamPage", "router"]
