"""The organisers' view of a board: what teams do not see yet, what the audit finds, rule, jobs and log."""

from __future__ import annotations

from runoff.server.web.pages.organise._context import JobLine, Log, OrganisePage
from runoff.server.web.pages.organise._routes import router

__all__ = ["JobLine", "Log", "OrganisePage", "router"]
