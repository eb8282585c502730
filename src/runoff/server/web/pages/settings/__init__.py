"""Change the settings of a board."""

from __future__ import annotations

from runoff.server.web.pages.settings._context import SettingsPage
from runoff.server.web.pages.settings._routes import router

__all__ = ["SettingsPage", "router"]
