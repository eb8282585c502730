"""Versions of a board's labels: add one, see what it changes, take it into use."""

from __future__ import annotations

from runoff.server.web.pages.labels._context import LabelsPage, LabelVersionPage, VersionLine
from runoff.server.web.pages.labels._routes import router

__all__ = ["LabelVersionPage", "LabelsPage", "VersionLine", "router"]
