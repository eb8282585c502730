"""What the page of a board's settings shows."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.server.web.frame.context import PageContext, shown
from runoff.server.web.frame.fields import FieldGroup


@dataclass(frozen=True, kw_only=True)
class SettingsPage(PageContext):
    """The page of a board's settings."""

    board: str = shown("The name of the board.")
    address: str = shown("Where the form is sent.")
    version: int = shown("The version of the settings that the form changes.")
    runs: int = shown("How many runs are scored.")
    groups: tuple[FieldGroup, ...] = shown("The settings.")
    problem: str = shown("What is wrong besides single fields; empty if nothing is.", "")
