"""Table: aligned text for a terminal, a log or a mail."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from runoff.reports._base import Format, Look, Showable
from runoff.reports.cells import best_cells, text_rows, visible
from runoff.reports.folds import Fold, Need, fold
from runoff.reports.grid import Grid

if TYPE_CHECKING:
    from rich.console import Console

GAP: Final = 2
"""Blank characters between columns."""
NARROW_TEXT: Final = 20
"""Text and headings may be wrapped down to this width, or a third of a narrow page; numbers are never wrapped."""


def render_text(grid: Grid, *, width: int = 80, colour: bool = False) -> str:
    """A grid as lines of text, folded into several tables where it is wider than `width` characters.

    With `colour` the text holds terminal codes, and the best cells are bold; without, it is plain.
    """
    rows = text_rows(grid)
    folds = fold(_needs(grid, rows, width), width, gap=GAP, repeat_first=not grid.columns[0].is_numeric)
    # Wide enough for a column that cannot be narrower, so that rich cuts nothing off.
    needed = max(sum(part.widths) + GAP * len(part.widths) for part in folds)
    console = _console(max(width, needed), colour=colour)
    if grid.title:
        _print(console, grid.title, width, style="bold")
        console.print()
    for number, part in enumerate(folds):
        if number:
            console.print()
        _print_table(console, grid, rows, part)
    if not rows:
        _print(console, "(no rows)", width, style="dim")
    if grid.notes:
        console.print()
    for note in grid.notes:
        _print(console, note, width, style="dim")
    return _text_of(console, colour=colour)


def _needs(grid: Grid, rows: list[list[str]], width: int) -> list[Need]:
    from rich.cells import cell_len

    narrow = min(NARROW_TEXT, max(width // 3, 2))
    needs = []
    for place, column in enumerate(grid.columns):
        longest = max((cell_len(row[place]) for row in rows), default=0)
        heading = visible(column.heading)
        word = min(max(map(cell_len, heading.split()), default=0), narrow)
        least = longest if column.is_numeric else min(longest, narrow)
        needs.append(Need(max(least, word, 1), max(longest, cell_len(heading), 1)))
    return needs


def _console(width: int, *, colour: bool) -> Console:
    from rich.console import Console

    # An empty environment: the text depends on the arguments alone. In a notebook, rich would show and not return it.
    return Console(
        file=io.StringIO(),
        width=width,
        force_terminal=colour,
        force_jupyter=False,
        color_system="standard" if colour else None,
        no_color=not colour,
        legacy_windows=False,
        emoji=False,
        markup=False,
        highlight=False,
        _environ={},
    )


def _print(console: Console, text: str, width: int, *, style: str) -> None:
    from rich.text import Text

    console.print(Text(visible(text), style=style), width=width, overflow="fold")


def _print_table(console: Console, grid: Grid, rows: list[list[str]], part: Fold) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    best = best_cells(grid)
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0), header_style="bold")
    for place, width in zip(part.places, part.widths, strict=True):
        column = grid.columns[place]
        table.add_column(
            Text(visible(column.heading)),
            justify="right" if column.is_numeric else "left",
            vertical="top",
            overflow="fold",
            width=width,
        )
    for at, row in enumerate(rows):
        table.add_row(*(Text(row[place], style="bold" if (at, place) in best else "") for place in part.places))
    console.print(table)


def _text_of(console: Console, *, colour: bool) -> str:
    file = console.file
    if not isinstance(file, io.StringIO):  # pragma: no cover - `_console` made it
        raise TypeError("the console writes elsewhere")
    text = file.getvalue()
    return text if colour else "".join(f"{line.rstrip()}\n" for line in text.split("\n")[:-1])


def render_texts(opening: Sequence[str], grids: Sequence[Grid], *, width: int = 80, colour: bool = False) -> str:
    """Paragraphs and then tables, a blank line between; a paragraph that holds line breaks keeps them."""
    parts = []
    for paragraph in opening:
        console = _console(width, colour=colour)
        for line in paragraph.split("\n"):
            _print(console, line, width, style="")
        parts.append(_text_of(console, colour=colour))
    parts += [render_text(grid, width=width, colour=colour) for grid in grids]
    return "\n".join(parts)


def _render(result: Showable, look: Look) -> str:
    return render_texts(result.opening(look.width), result.screen_grids(), width=look.width, colour=look.colour)


TABLE = Format(name="table", help="Aligned text, for a terminal.", suffix=".txt", render=_render)
