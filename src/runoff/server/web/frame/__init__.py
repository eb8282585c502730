"""What all pages have in common: the base template, widgets, style and script, and how a page is rendered."""

from __future__ import annotations

from runoff.server.web.frame.context import Crumb, Frame, PageContext, shown
from runoff.server.web.frame.render import render_page

__all__ = ["Crumb", "Frame", "PageContext", "render_page", "shown"]
