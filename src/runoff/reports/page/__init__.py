"""The report as one page that needs nothing else."""

from __future__ import annotations

from runoff.reports.page.assembly import render_page

__all__ = ["render_page"]
