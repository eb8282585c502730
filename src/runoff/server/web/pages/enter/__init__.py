"""The link of an assessor: what is asked of them, before they come in."""

from __future__ import annotations

from runoff.server.web.pages.enter._context import EnterPage
from runoff.server.web.pages.enter._routes import router

__all__ = ["EnterPage", "router"]
