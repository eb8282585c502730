r"""Markdown: tables for a comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from runoff.display._base import Format, Look, Showable
from runoff.display.grid import Grid, ShownCell, legend_of, shown_columns, shown_rows, visible

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
    columns = shown_columns(grid)
    lines = [f"**{escape_markdown(grid.title)}**", ""] if grid.title else []
    lines.append(_line([escape_markdown(column.heading) for column in columns]))
    lines.append(_line(["---:" if column.is_numeric else "---" for column in columns]))
    lines += [
        _line([_cell(cell, numeric=column.is_numeric) for column, cell in zip(columns, row, strict=True)])
        for row in shown_rows(grid)
    ]
    for note in filter(None, [legend_of(grid), *grid.notes]):
        lines += ["", render_paragraph(note)]
    return "\n".join(lines) + "\n"


def render_paragraph(text: str) -> str:
    """A paragraph; what would start a list or a heading does not."""
    return _LIST.sub(r"\1\\\2", escape_markdown(text.strip()))


def _cell(cell: ShownCell, *, numeric: bool) -> str:
    text = escape_markdown(cell.text.replace("-", "\N{MINUS SIGN}") if numeric else cell.text)
    marks = f"<sup>{escape_markdown(cell.marks)}</sup>" if cell.marks else ""
    spread = f" ±{escape_markdown(cell.spread)}" if cell.spread else ""
    return f"{f'**{text}**' if cell.is_best else text}{marks}{spread}"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def render_markdowns(paragraphs: Sequence[str], grids: Sequence[Grid]) -> str:
    """Paragraphs and then tables."""
    return "\n".join([*(f"{render_paragraph(one)}\n" for one in paragraphs), *map(render_markdown, grids)])


def _render(result: Showable, _look: Look) -> str:
    return render_markdowns(result.opening(0), result.grids())


MARKDOWN = Format(name="markdown", help="Tables for a comment on a pull request.", suffix=".md", render=_render)
