"""Table: aligned text for a terminal, a log or a mail."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from runoff.display._base import Format, Look, Showable
from runoff.display.grid import Column, Grid, ShownCell, legend_of, raised, shown_columns, shown_rows, visible


@dataclass(frozen=True)
class Need:
    """The room one column asks for: `least` to be readable, `ideal` to wrap nothing."""

    least: int
    ideal: int


def fold(needs: Sequence[Need], width: int, *, gap: int, repeat_first: bool) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Spread columns over as few tables as fit the width, left to right, the first column leading each.

    Returns per table the place and the width of each column. A column that is too wide alone still gets the least it
    needs, so nothing is ever cut off.

    >>> fold([Need(5, 5), Need(6, 6), Need(6, 6)], 16, gap=2, repeat_first=True)
    (((0, 5), (1, 6)), ((0, 5), (2, 6)))
    """
    head = [0] if repeat_first else []
    groups = [list(head)]
    for place in range(len(head), len(needs)):
        group = [*groups[-1], place]
        room = sum(needs[at].least for at in group) + gap * (len(group) - 1)
        if room > width and len(groups[-1]) > len(head):
            groups.append([*head, place])
        else:
            groups[-1] = group
    tables = []
    for group in groups:
        spare = max(0, width - sum(needs[at].least for at in group) - gap * (len(group) - 1))
        columns = []
        for at in group:
            more = min(spare, needs[at].ideal - needs[at].least)
            columns.append((at, needs[at].least + more))
            spare -= more
        tables.append(tuple(columns))
    return tuple(tables)


GAP: Final = 2
"""Blank characters between columns."""
NARROW_TEXT: Final = 20
"""Text and headings may be wrapped down to this width, or a third of a narrow page; numbers are never wrapped.

A word is cut only if it is longer than half the page.
"""

Style = Callable[[str], str]
"""Puts terminal codes around a text, or nothing."""


def render_text(grid: Grid, *, width: int = 80, colour: bool = False) -> str:
    """A grid as lines of text, folded into several tables where it is wider than `width` characters.

    With `colour` the text holds terminal codes, and the best cells are bold; without, it is plain.
    """
    bold, dim = (_bold, _dim) if colour else (str, str)
    columns, cells = shown_columns(grid), shown_rows(grid)
    rows = [list(row) for row in zip(*map(_texts, zip(*cells, strict=True)), strict=True)]
    best = {(at, place) for at, row in enumerate(cells) for place, cell in enumerate(row) if cell.is_best}
    lines = []
    if grid.title:
        lines += [*_paragraph(grid.title, width, bold), ""]
    folds = fold(_needs(columns, rows, width), width, gap=GAP, repeat_first=not columns[0].is_numeric)
    for number, part in enumerate(folds):
        lines += [""] if number else []
        lines += _table_lines(columns, rows, part, best, bold)
    if not rows:
        lines += _paragraph("(no rows)", width, dim)
    notes = [*filter(None, [legend_of(grid) if colour else grid.legend]), *grid.notes]
    if notes:
        lines.append("")
    for note in notes:
        lines += _paragraph(note, width, dim)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def render_result(result: Showable, look: Look) -> str:
    """Paragraphs and then tables, a blank line between; a paragraph that holds line breaks keeps them."""
    width, colour = look.width, look.colour
    paragraphs = [
        "".join(f"{line}\n" for text in part.split("\n") for line in _paragraph(text, width, str))
        for part in result.opening(width)
    ]
    return "\n".join([*paragraphs, *(render_text(grid, width=width, colour=colour) for grid in result.screen_grids())])


def wrapped(text: str, width: int) -> list[str]:
    """Lines of a text that are at most `width` cells of a terminal wide; a word that is longer is cut.

    >>> wrapped("one two extraordinary", 8)
    ['one two', 'extraord', 'inary']
    """
    from rich.cells import cell_len, chop_cells

    lines = [""]
    for word in re.findall(r"\s*\S+\s*", text):
        needed = cell_len(word.rstrip())
        if cell_len(lines[-1]) + needed <= width:
            lines[-1] += word
            continue
        pieces = [word] if needed <= width else [piece for piece in chop_cells(word, width) if piece]
        lines = [*lines, *pieces] if lines[-1] else pieces
    return [line.rstrip() for line in lines]


def _texts(cells: Sequence[ShownCell]) -> list[str]:
    """The cells of a column; marks and spreads are filled with blanks, so that the numbers before them are aligned."""
    marks = max((len(cell.marks) for cell in cells), default=0)
    spreads = [f" ±{cell.spread}" if cell.spread else "" for cell in cells]
    widest = max(map(len, spreads), default=0)
    return [
        f"{cell.text}{raised(cell.marks):{marks}}{spread:{widest}}" if marks or widest else cell.text
        for cell, spread in zip(cells, spreads, strict=True)
    ]


def _needs(columns: Sequence[Column], rows: list[list[str]], width: int) -> list[Need]:
    from rich.cells import cell_len

    narrow = min(NARROW_TEXT, max(width // 3, 2))
    needs = []
    for place, column in enumerate(columns):
        longest = max((cell_len(row[place]) for row in rows), default=0)
        heading = visible(column.heading)
        word = min(max(map(cell_len, heading.split()), default=0), narrow)
        least = longest
        if not column.is_numeric and longest > narrow:
            words = (cell_len(word) for row in rows for word in row[place].split())
            least = max(narrow, min(max(words, default=0), width // 2))
        needs.append(Need(max(least, word, 1), max(longest, cell_len(heading), 1)))
    return needs


def _table_lines(
    columns: Sequence[Column],
    rows: list[list[str]],
    part: Sequence[tuple[int, int]],
    best: set[tuple[int, int]],
    bold: Style,
) -> list[str]:
    """The heading, a rule and the rows, in the columns of one fold: their places and widths."""
    headings = [wrapped(visible(columns[place].heading), width) for place, width in part]
    height = max(map(len, headings))
    raised_headings = [[""] * (height - len(cell)) + cell for cell in headings]
    lines = _row_lines(columns, part, raised_headings, [bold] * len(headings))
    lines.append("─" * (sum(width for _, width in part) + GAP * (len(part) - 1)))
    for at, row in enumerate(rows):
        styles = [bold if (at, place) in best else str for place, _ in part]
        # Blanks at the end of a number keep those of its column aligned.
        cells = [[row[place]] if columns[place].is_numeric else wrapped(row[place], width) for place, width in part]
        lines += _row_lines(columns, part, cells, styles)
    return lines


def _row_lines(
    columns: Sequence[Column], part: Sequence[tuple[int, int]], cells: list[list[str]], styles: Sequence[Style]
) -> list[str]:
    """The lines of one row: numbers to the right, text to the left, short cells at the top."""
    from rich.cells import cell_len

    lines = []
    for at in range(max(map(len, cells))):
        parts = []
        for (place, width), cell, style in zip(part, cells, styles, strict=True):
            text = cell[at] if at < len(cell) else ""
            blank = " " * (width - cell_len(text))
            shown = style(text) if text else ""
            parts.append(blank + shown if columns[place].is_numeric else shown + blank)
        lines.append((" " * GAP).join(parts))
    return lines


def _paragraph(text: str, width: int, style: Style) -> list[str]:
    return [style(line) if line else "" for line in wrapped(visible(text), width)]


def _bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m"


def _dim(text: str) -> str:
    return f"\x1b[2m{text}\x1b[0m"


TABLE = Format(name="table", help="Aligned text, for a terminal.", suffix=".txt", render=render_result)
