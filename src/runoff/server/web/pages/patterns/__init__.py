"""Every widget on one page, so that a change of style is seen at once."""

from __future__ import annotations

from runoff.server.web.pages.patterns._context import PatternsPage
from runoff.server.web.pages.patterns._routes import router

__all__ = ["PatternsPage", "router"]
