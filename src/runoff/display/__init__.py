"""Results as text: the grid, the ordered list of formats, and `Shown` for result objects."""

from __future__ import annotations

from typing import Final

from runoff.display._base import Format, Look, Showable
from runoff.display.csv_text import CSV, render_csv
from runoff.display.frame import to_frame
from runoff.display.grid import Column, Grid, machine_name
from runoff.display.html_text import HTML, render_html, render_html_page
from runoff.display.json_text import JSON, render_json
from runoff.display.latex_text import LATEX, render_latex
from runoff.display.markdown_text import MARKDOWN, render_markdown
from runoff.display.shown import Shown
from runoff.display.table_text import TABLE, render_text
from runoff.errors import UsageError

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
    """A result as text in the named format, one of ours or its own; width and colour matter to `table` alone."""
    own = result.own_formats()
    if format_name in own:
        return own[format_name]()
    found = {form.name: form for form in FORMATS}.get(format_name)
    if found is None:
        raise UsageError(f"there is no format {format_name!r}; the formats are {', '.join((*FORMAT_NAMES, *own))}")
    return found.render(result, Look(width=width, colour=colour))
