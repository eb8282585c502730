"""The first page: the boards of this site."""

from __future__ import annotations

from runoff.server.web.pages.home._context import Card, HomePage
from runoff.server.web.pages.home._routes import router

__all__ = ["Card", "HomePage", "router"]
