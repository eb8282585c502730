r"""LaTeX: tables ready to paste into a paper that loads booktabs."""

from __future__ import annotations

import re
from typing import Final

from runoff.display._base import Format, Look, Showable
from runoff.display.grid import Grid, best_cells, text_rows, visible

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
        "\N{GREEK SMALL LETTER ALPHA}": r"$\alpha$",
        "\N{GREEK SMALL LETTER RHO}": r"$\rho$",
        "τ": r"$\tau$",
        "Δ": r"$\Delta$",
        "†": r"\textdagger{}",
        "‡": r"\textdaggerdbl{}",
    }
)
WIDE: Final = 8
"""A table of more columns than this is set small, across both columns of a page."""


def escape_latex(text: str) -> str:
    r"""Text that LaTeX prints as it stands.

    >>> print(escape_latex("50% of R&D_v2"))
    50\% of R\&D\_v2
    """
    # Neighbouring hyphens would be set as a dash, so they are kept apart.
    parts = re.split("(?<=-)(?=-)", visible(text))
    return "{}".join(part.translate(_COMMANDS) for part in parts)


def render_latex(grid: Grid) -> str:
    """A grid as a table environment: caption, booktabs rules, notes in small print below; the best cells are bold."""
    best = best_cells(grid)
    layout = "".join("r" if column.is_numeric else "l" for column in grid.columns)
    wide = len(grid.columns) > WIDE
    environment = "table*" if wide else "table"
    lines = [r"% needs \usepackage{booktabs}", rf"\begin{{{environment}}}[tb]", r"\centering"]
    if grid.title:
        lines.append(rf"\caption{{{escape_latex(grid.title)}}}")
    if wide:
        lines.append(r"\footnotesize\setlength{\tabcolsep}{3pt}")
    lines += [rf"\begin{{tabular}}{{{layout}}}", r"\toprule"]
    lines.append(_line([escape_latex(column.heading) for column in grid.columns]))
    lines.append(r"\midrule")
    for at, row in enumerate(text_rows(grid)):
        cells = [_cell(text, numeric=grid.columns[place].is_numeric) for place, text in enumerate(row)]
        lines.append(_line([_bold(cell) if (at, place) in best else cell for place, cell in enumerate(cells)]))
    lines += [r"\bottomrule", r"\end{tabular}"]
    if grid.notes:
        lines.append(r"\par\smallskip")
        lines.append(rf"{{\footnotesize {' '.join(map(escape_latex, grid.notes))}\par}}")
    lines.append(rf"\end{{{environment}}}")
    return "\n".join(lines) + "\n"


def _cell(text: str, *, numeric: bool) -> str:
    minus = numeric and text.startswith("-")
    return "$-$" + escape_latex(text[1:]) if minus else escape_latex(text)


def _bold(cell: str) -> str:
    return rf"\textbf{{{cell}}}"


def _line(cells: list[str]) -> str:
    line = " & ".join(cells) + r" \\"
    # The end of the line before, \\, takes a following [ or * as its own argument.
    return "{}" + line if line.startswith(("[", "*")) else line


def _render(result: Showable, _look: Look) -> str:
    return "\n".join(map(render_latex, result.paper_grids()))


LATEX = Format(name="latex", help="Tables to paste into a paper (booktabs).", suffix=".tex", render=_render)
