"""People of the site, for organisers: invitations, roles, teams and API tokens."""

from __future__ import annotations

from runoff.server.web.pages.people._context import PeoplePage, PersonLine
from runoff.server.web.pages.people._routes import router

__all__ = ["PeoplePage", "PersonLine", "router"]
