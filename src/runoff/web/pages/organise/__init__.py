"""The organisers' view of a board: what teams do not see yet, what the audit finds, and the settings."""

from __future__ import annotations

from runoff.web.pages.organise._context import OrganisePage, SettingField
from runoff.web.pages.organise._fill import organiser_tables, setting_fields
from runoff.web.pages.organise._routes import router

__all__ = ["OrganisePage", "SettingField", "organiser_tables", "router", "setting_fields"]
