r"""LaTeX: tables ready to paste into a paper that loads booktabs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from runoff.display._base import Format, Look, Showable
from runoff.display.grid import Column, Grid, ShownCell, legend_of, shown_columns, shown_rows, visible

_COMMANDS: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "`": r"\textasciigrave{}",
        "<": "$<$",
        ">": "$>$",
        "|": "$|$",
        "\N{EN DASH}": "--",
        "\N{EM DASH}": "---",
        "\N{MINUS SIGN}": "$-$",
        "\N{MULTIPLICATION SIGN}": r"$\times$",
        "±": r"$\pm$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "∞": r"$\infty$",
        **{letter: rf"$\{unicodedata.name(letter).split()[-1].lower()}$" for letter in "αβγδεζηθικμνξπρστυφχψω"},
        "λ": r"$\lambda$",
        "\N{MICRO SIGN}": r"$\mu$",
        "Δ": r"$\Delta$",
        "†": r"\textdagger{}",
        "‡": r"\textdaggerdbl{}",
    }
)
WIDE: Final = 8
"""A table of more columns than this is set small, across both columns of a page."""
LAST_LATIN: Final = "\u017f"
"""Behind it, and beside the characters above, are those for which LaTeX alone has no letters."""


@dataclass(frozen=True)
class _Size:
    """A size of the letters, and the characters that fit into one column of a two-column page (8.4 cm) at that size.

    wraps  whether names are wrapped, where at least that part of the line is left for them
    """

    command: str
    characters: float
    wraps: float | None = None


SMALL: Final = r"\footnotesize\setlength{\tabcolsep}{3pt}"
SIZES: Final = (
    _Size("", 38),
    _Size(SMALL, 49),
    _Size(SMALL, 49, wraps=0.33),
    _Size(r"\scriptsize\setlength{\tabcolsep}{2pt}", 54, wraps=0.2),
)
"""Tried in this order; what does not fit at the last is set across both columns of the page."""
SEPARATED: Final = 1.5
"""Characters that a column takes beside its text."""


def escape_latex(text: str) -> str:
    r"""Text that LaTeX prints as it stands.

    >>> print(escape_latex("50% of R&D_v2"))
    50\% of R\&D\_v2
    """
    # Neighbouring hyphens would be set as a dash, so they are kept apart.
    parts = re.split("(?<=-)(?=-)", visible(text))
    return "{}".join(part.translate(_COMMANDS) for part in parts)


def render_latex(grid: Grid) -> str:
    """A grid as a table environment: caption, booktabs rules, notes in small print below; the best cells are bold.

    A table with marks or spreads is made to fit one column of a page: it is set small, and long names are wrapped.
    """
    columns, rows = shown_columns(grid), shown_rows(grid)
    tails = [any(row[place].marks or row[place].spread for row in rows) for place in range(len(columns))]
    size, room = _Size("" if len(columns) <= WIDE else SMALL, 0), None
    if any(column.attached for column in grid.columns) and rows and not columns[0].is_numeric:
        size, room = _fitted(columns, rows)
    wide = len(columns) > WIDE or size is WIDEST
    environment = "table*" if wide else "table"
    lines = [rf"\begin{{{environment}}}[tb]", r"\centering"]
    caption = ". ".join(filter(None, [grid.title, legend_of(grid)]))
    if caption:
        lines += [rf"\caption{{{escape_latex(caption)}}}", r"\smallskip"]
    if size.command:
        lines.append(size.command)
    layout = [
        "r@{}l" if tail else "r" if column.is_numeric else "l" for column, tail in zip(columns, tails, strict=True)
    ]
    if room is not None:
        layout[0] = rf"p{{{room:.2f}\linewidth}}"
    lines += [rf"\begin{{tabular}}{{{''.join(layout)}}}", r"\toprule"]
    headings = [escape_latex(column.heading) for column in columns]
    lines.append(
        _line(
            [rf"\multicolumn{{2}}{{c}}{{{head}}}" if tail else head for head, tail in zip(headings, tails, strict=True)]
        )
    )
    lines.append(r"\midrule")
    for row in rows:
        cells = [_cell(cell, numeric=column.is_numeric) for column, cell in zip(columns, row, strict=True)]
        if room is not None and len(row[0].text) > room * size.characters:
            cells[0] = rf"\raggedright\hangindent=1em {_breakable(cells[0])}"
        lines.append(
            _line([f"{cell} & {_tail(row[place])}" if tails[place] else cell for place, cell in enumerate(cells)])
        )
    lines += [r"\bottomrule", r"\end{tabular}"]
    if grid.notes:
        lines.append(r"\par\smallskip")
        lines.append(rf"{{\footnotesize\raggedright {' '.join(map(escape_latex, grid.notes))}\par}}")
    lines.append(rf"\end{{{environment}}}")
    text = "\n".join(lines) + "\n"
    strange = "".join(sorted({char for char in text if char > LAST_LATIN}))
    engine = f", and LuaLaTeX or XeLaTeX for {strange}" if strange else ""
    return rf"% needs \usepackage{{booktabs}}{engine}" + "\n" + text


WIDEST: Final = _Size(SMALL, 100, wraps=0.15)
"""A table across both columns of a page."""


def _fitted(columns: Sequence[Column], rows: Sequence[Sequence[ShownCell]]) -> tuple[_Size, float | None]:
    """The size at which a table fits one column of a page, and the part of the line for names that are wrapped."""
    widths = []
    for place, column in enumerate(columns):
        cells = [row[place] for row in rows]
        tails = (0.6 * len(cell.marks) + 0.9 * len(cell.spread) + bool(cell.spread) for cell in cells)
        texts = [len(cell.text) + tail for cell, tail in zip(cells, tails, strict=True)]
        widths.append(max([len(column.heading), *texts]))
    others = sum(widths[1:]) + SEPARATED * len(columns)
    for size in (*SIZES, WIDEST):
        room = 1.0 - others / size.characters
        if widths[0] <= room * size.characters:
            return size, None
        if size.wraps is not None and room >= size.wraps:
            return size, room
    return WIDEST, None


def _breakable(name: str) -> str:
    """A name that may be broken behind the signs that people put into names."""
    return re.sub(r"(\\_|[-./+:#](?=\w))", r"\1\\allowbreak{}", name)


def _cell(cell: ShownCell, *, numeric: bool) -> str:
    text = cell.text
    escaped = "$-$" + escape_latex(text[1:]) if numeric and text.startswith("-") else escape_latex(text)
    return rf"\textbf{{{escaped}}}" if cell.is_best else escaped


def _tail(cell: ShownCell) -> str:
    """Marks and spread, in a column of their own, so that the numbers before them are aligned."""
    marks = rf"\textsuperscript{{{escape_latex(cell.marks)}}}" if cell.marks else ""
    return marks + (rf"{{\scriptsize$\,\pm\,${escape_latex(cell.spread)}}}" if cell.spread else "")


def _line(cells: list[str]) -> str:
    line = " & ".join(cells) + r" \\"
    # The end of the line before, \\, takes a following [ or * as its own argument.
    return "{}" + line if line.startswith(("[", "*")) else line


def _render(result: Showable, _look: Look) -> str:
    return "\n".join(map(render_latex, result.paper_grids()))


LATEX = Format(name="latex", help="Tables to paste into a paper (booktabs).", suffix=".tex", render=_render)
