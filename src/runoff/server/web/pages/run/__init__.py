"""A run: where it is, what is wrong with it, what it scored, and what it was worth on its day."""

from __future__ import annotations

from runoff.server.web.pages.run._context import RunPage, ScoreLine
from runoff.server.web.pages.run._routes import router

__all__ = ["RunPage", "ScoreLine", "router"]
