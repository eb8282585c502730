"""Results as text: the grid, the ordered list of formats, and `Shown` for result objects."""

from __future__ import annotations

from typing import Final

from runoff.errors import UsageError
from runoff.reports._base import Format, Look, Showable
from runoff.reports.csv_text import CSV, render_csv
from runoff.reports.frame import to_frame
from runoff.reports.grid import Column, Grid, machine_name
from runoff.reports.html_text import HTML, render_html, render_html_page
from runoff.reports.json_text import JSON, render_json
from runoff.reports.latex_text import LATEX, render_latex
from runoff.reports.markdown_text import MARKDOWN, render_markdown
from runoff.reports.shown import Shown
from runoff.reports.table_text import TABLE, render_text

__all__ = [
    "Column",
    "FORMATS",
    "FORMAT_NAMES",
    "Format",
    "Grid",
    "Look",
    "Showable",
    "Shown",
    "machine_name",
    "render",
    "render_csv",
    "render_html",
    "render_html_page",
    "render_json",
    "render_latex",
    "render_markdown",
    "render_text",
    "to_frame",
]

FORMATS: Final[tuple[Format, ...]] = (TABLE, JSON, CSV, LATEX, HTML, MARKDOWN)
"""Every format, in the order in which help lists them."""

FORMAT_NAMES: Final[tuple[str, ...]] = tuple(form.name for form in FORMATS)


def render(result: Showable, format_name: str, *, width: int = 80, colour: bool = False) -> str:
    """A result as text in the named format; width and colour matter to `table` alone."""
    found = {form.name: form for form in FORMATS}.get(format_name)
    if found is None:
        raise UsageError(f"there is no format {format_name!r}; the formats are {', '.join(FORMAT_NAMES)}")
    return found.render(result, Look(width=width, colour=colour))
