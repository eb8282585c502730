r"""Markdown: tables for a comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from runoff.display._base import Format, Look, Showable
from runoff.display.grid import Grid, best_cells, text_rows, visible

_SIGNS: Final = re.compile(r"([\\`*_\[\]~|$])")
_LIST: Final = re.compile(r"^(\d*)([-+#=.)])")
# A comment that nobody sees keeps a name from calling a person, an issue or an address.
_CALLS: Final = re.compile(r"((?<!\w)@(?=\w)|#(?=\d)|:(?=//)|\bwww(?=\.))")


def escape_markdown(text: str) -> str:
    r"""Text that Markdown shows as it stands, and that calls nobody.

    >>> print(escape_markdown("*bold* <b> a|b @you"))
    \*bold\* &lt;b&gt; a\|b @<!-- -->you
    """
    safe = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _CALLS.sub(r"\1<!-- -->", _SIGNS.sub(r"\\\1", safe))


def render_markdown(grid: Grid) -> str:
    """A grid as a table of GitHub's Markdown: title, rows and notes; the best cells are bold."""
    best = best_cells(grid)
    lines = [f"**{escape_markdown(grid.title)}**", ""] if grid.title else []
    lines.append(_line([escape_markdown(column.heading) for column in grid.columns]))
    lines.append(_line(["---:" if column.is_numeric else "---" for column in grid.columns]))
    for at, row in enumerate(text_rows(grid)):
        cells = [_cell(text, numeric=grid.columns[place].is_numeric) for place, text in enumerate(row)]
        lines.append(_line([f"**{cell}**" if (at, place) in best else cell for place, cell in enumerate(cells)]))
    for note in grid.notes:
        lines += ["", render_paragraph(note)]
    return "\n".join(lines) + "\n"


def render_paragraph(text: str) -> str:
    """A paragraph; what would start a list or a heading does not."""
    return _LIST.sub(r"\1\\\2", escape_markdown(text.strip()))


def _cell(text: str, *, numeric: bool) -> str:
    return escape_markdown(text.replace("-", "\N{MINUS SIGN}") if numeric else text)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def render_markdowns(paragraphs: Sequence[str], grids: Sequence[Grid]) -> str:
    """Paragraphs and then tables."""
    return "\n".join([*(f"{render_paragraph(one)}\n" for one in paragraphs), *map(render_markdown, grids)])


def _render(result: Showable, _look: Look) -> str:
    return render_markdowns(result.opening(0), result.grids())


MARKDOWN = Format(name="markdown", help="Tables for a comment on a pull request.", suffix=".md", render=_render)
