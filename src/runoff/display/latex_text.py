r"""LaTeX: tables ready to paste into a paper that loads booktabs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
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
    """A size of the letters, in points: the width of a digit, and the space that a column takes beside its text.

    line   the width that there is: one column of a two-column `article`, which is narrower than in most classes, the
           page of `article` in one column, or both columns
    wraps  whether long names are wrapped
    """

    command: str
    digit: float
    padding: float
    line: float
    wraps: bool = False


SMALL: Final = r"\footnotesize\setlength{\tabcolsep}{3pt}"
TINY: Final = r"\scriptsize\setlength{\tabcolsep}{2pt}"
COLUMN: Final = 227.0
PAGE: Final = 343.0
SIZES: Final = (
    _Size("", 5.0, 12.0, COLUMN),
    _Size(SMALL, 4.25, 6.0, COLUMN),
    _Size(TINY, 3.98, 4.0, COLUMN),
    _Size(SMALL, 4.25, 6.0, COLUMN, wraps=True),
    _Size(TINY, 3.98, 4.0, COLUMN, wraps=True),
    _Size("", 5.0, 12.0, PAGE),
    _Size(SMALL, 4.25, 6.0, PAGE),
    _Size(TINY, 3.98, 4.0, PAGE),
    _Size(SMALL, 4.25, 6.0, 2 * COLUMN, wraps=True),
)
"""Tried in this order; what is wider than a column is set across both."""
ROOMY: Final = 20.0
"""Room for names, in digits, where they may take more than two lines."""
LEAST: Final = 0.15
"""The part of the line for names in a table that fits nowhere."""
WIDTHS: Final = {
    char: width
    for width, chars in (
        (0.56, ".,:;'!|[]ijl"),
        (0.67, "- f"),
        (0.78, "()rstI"),
        (0.89, "cez"),
        (1.1, "bdhknpquvxyS"),
        (1.35, "EFJLPZ"),
        (1.55, "_@&+=wABCDGHKNOQRTUVXY"),
        (1.7, "mM%#"),
        (2.05, "W"),
    )
    for char in chars
}
"""The widths of characters in Computer Modern, in digits, where they are not 1."""
MARK: Final = 0.85
"""The width of a superscript, in digits."""
BOLD: Final = 1.15


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
    size, room = SIZES[0] if len(columns) <= WIDE else SIZES[-1], None
    if any(column.attached for column in grid.columns) and rows and not columns[0].is_numeric:
        size, room = _fitted(columns, rows)
    wide = len(columns) > WIDE or size.line > COLUMN
    environment = "table*" if wide else "table"
    lines = [rf"\begin{{{environment}}}[tb]", r"\centering"]
    caption = ". ".join(filter(None, [grid.title, legend_of(grid)]))
    if caption:
        lines += [rf"\caption{{{_prose(caption)}}}", r"\smallskip"]
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
        if room is not None and _width(row[0].text) * size.digit > room * size.line:
            cells[0] = rf"\raggedright\hangindent=1em {_breakable(cells[0])}"
        lines.append(
            _line([f"{cell} & {_tail(row[place])}" if tails[place] else cell for place, cell in enumerate(cells)])
        )
    lines += [r"\bottomrule", r"\end{tabular}"]
    if grid.notes:
        lines.append(r"\par\smallskip")
        lines.append(rf"{{\footnotesize\raggedright {' '.join(map(_prose, grid.notes))}\par}}")
    lines.append(rf"\end{{{environment}}}")
    text = "\n".join(lines) + "\n"
    strange = "".join(sorted({char for char in text if char > LAST_LATIN}))
    engine = f", and LuaLaTeX or XeLaTeX for {strange}" if strange else ""
    return rf"% needs \usepackage{{booktabs}}{engine}" + "\n" + text


def _fitted(columns: Sequence[Column], rows: Sequence[Sequence[ShownCell]]) -> tuple[_Size, float | None]:
    """The first size at which a table fits, and the part of the line for names where they are wrapped."""
    widths = [_column_width(column, [row[place] for row in rows]) for place, column in enumerate(columns)]
    for size in SIZES:
        room = size.line - sum(widths[1:]) * size.digit - size.padding * len(columns)
        if widths[0] * size.digit <= room:
            return size, None
        if size.wraps and all(_wraps_well(row[0].text, room / size.digit) for row in rows):
            return size, floor(100 * room / size.line) / 100
    return SIZES[-1], LEAST


def _width(text: str) -> float:
    """About how wide a text is, in digits."""
    return sum(WIDTHS.get(char, 2.0 if unicodedata.east_asian_width(char) in "WF" else 1.0) for char in text)


def _column_width(column: Column, cells: Sequence[ShownCell]) -> float:
    """The same of a column; marks and spreads have a column of their own."""
    texts = max(_width(cell.text) * (BOLD if cell.is_best else 1.0) for cell in cells)
    tails = max(MARK * len(cell.marks) + (1.2 + len(cell.spread) if cell.spread else 0.0) for cell in cells)
    return max(_width(column.heading), texts + tails)


def _wraps_well(name: str, room: float) -> bool:
    """Whether there is room for many lines, or a name can be broken into two, the second of which is indented."""
    breaks = [match.end() for match in re.finditer(r"[-_./+:#](?=\w)|(?<!^\(\w\)) ", name)] + [len(name)]
    return room >= ROOMY or any(_width(name[:at]) <= room and 2.0 + _width(name[at:]) <= room for at in breaks)


def _prose(text: str) -> str:
    """A sentence, in which the letters of p-values and t tests are set as mathematics."""
    text = re.sub(r"\bp \$<\$ ([0-9.]*[0-9])", r"$p < \1$", escape_latex(text))
    return re.sub(r"\bt test\b", "$t$ test", text)


def _breakable(name: str) -> str:
    """A name that may be broken behind the signs that people put into names, and not behind its letter."""
    return re.sub(r"(\\_|[-./+:#](?=\w))", r"\1\\allowbreak{}", re.sub(r"^(\(\w\)) ", r"\1~", name))


def _cell(cell: ShownCell, *, numeric: bool) -> str:
    text = cell.text
    escaped = "$-$" + escape_latex(text[1:]) if numeric and text.startswith("-") else escape_latex(text)
    return rf"\textbf{{{escaped}}}" if cell.is_best else escaped


def _tail(cell: ShownCell) -> str:
    """Marks and spread, in a column of their own, so that the numbers before them are aligned."""
    marks = rf"\textsuperscript{{{escape_latex(cell.marks)}}}" if cell.marks else ""
    return marks + (rf"{{\scriptsize$\pm${escape_latex(cell.spread)}}}" if cell.spread else "")


def _line(cells: list[str]) -> str:
    line = " & ".join(cells) + r" \\"
    # The end of the line before, \\, takes a following [ or * as its own argument.
    return "{}" + line if line.startswith(("[", "*")) else line


def _render(result: Showable, _look: Look) -> str:
    return "\n".join(map(render_latex, result.paper_grids()))


LATEX = Format(name="latex", help="Tables to paste into a paper (booktabs).", suffix=".tex", render=_render)
