"""The report as one page that needs nothing else."""

from __future__ import annotations

from runoff.reports.page.assembly import FOLDER, render_page, render_script, render_style

__all__ = ["FOLDER", "render_page", "render_script", "render_style"]
