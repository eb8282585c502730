"""About the method: what each number means, and the papers behind it."""

from __future__ import annotations

from runoff.server.web.pages.method._context import Entry, MethodPage
from runoff.server.web.pages.method._entries import ENTRIES
from runoff.server.web.pages.method._routes import router

__all__ = ["ENTRIES", "Entry", "MethodPage", "router"]
