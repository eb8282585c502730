"""Any two runs against each other: the verdict in a sentence, its numbers, and charts."""

from __future__ import annotations

from runoff.server.web.pages.compare._context import ComparePage
from runoff.server.web.pages.compare._routes import router

__all__ = ["ComparePage", "router"]
