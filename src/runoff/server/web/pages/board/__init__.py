"""A board: who leads, how sure that is, what each run was worth on its day, and the records over time."""

from __future__ import annotations

from runoff.server.web.pages.board._context import BoardPage, Filters, Line, Option, Pending, Results
from runoff.server.web.pages.board._fill import results_of
from runoff.server.web.pages.board._routes import picture, router

__all__ = ["BoardPage", "Filters", "Line", "Option", "Pending", "Results", "picture", "results_of", "router"]
