"""Grids as what the page's template shows: every cell as text, with the value that sorting and CSV need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from runoff.display.cells import best_cells, text_rows, visible
from runoff.display.grid import Grid, Value

FILTER_FROM: Final = 12
"""A table of more rows than this gets a box to search in it."""
SHORT: Final = 18
LONGEST_WORD: Final = 64
"""A text of so many characters, or one word of so many, is kept on one line."""
MOST_NOTES: Final = 4
"""Notes that stand below a table; of more, the rest is folded."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One cell: its text, its value where the text does not hold all of it, and how it is set."""

    text: str
    value: str | None
    is_head: bool
    is_number: bool
    is_best: bool
    is_short: bool


@dataclass(frozen=True, kw_only=True)
class Heading:
    """The head of a column."""

    name: str
    text: str
    help: str
    is_number: bool


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of the page."""

    key: str
    caption: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...]
    more_notes: tuple[str, ...]
    helps: tuple[Heading, ...]
    has_filter: bool


def table(grid: Grid, key: str) -> Table:
    """A grid as a table of the page."""
    best = best_cells(grid)
    rows = [
        tuple(
            Cell(
                text=text.replace("-", "\N{MINUS SIGN}") if column.is_numeric else text,
                value=_value(value, text),
                is_head=place == 0,
                is_number=column.is_numeric,
                is_best=(at, place) in best,
                is_short=not column.is_numeric and _is_short(text),
            )
            for place, (column, text, value) in enumerate(zip(grid.columns, texts, row, strict=True))
        )
        for at, (texts, row) in enumerate(zip(text_rows(grid), grid.rows, strict=True))
    ]
    headings = tuple(
        Heading(
            name=column.name,
            text=visible(column.heading).strip(),
            help=visible(column.help),
            is_number=column.is_numeric,
        )
        for column in grid.columns
    )
    notes = tuple(map(visible, grid.notes))
    said = " ".join(notes).lower()
    return Table(
        key=key,
        caption=visible(grid.title) or "Table",
        headings=headings,
        rows=tuple(rows),
        notes=notes if len(notes) <= MOST_NOTES else notes[: MOST_NOTES - 1],
        more_notes=() if len(notes) <= MOST_NOTES else notes[MOST_NOTES - 1 :],
        helps=tuple(heading for heading in headings if heading.help and heading.help.lower() not in said),
        has_filter=len(rows) > FILTER_FROM,
    )


def _is_short(text: str) -> bool:
    """Whether a text is kept on one line: a few characters, or one word such as a checksum."""
    return len(text) <= SHORT or (" " not in text and len(text) <= LONGEST_WORD)


def _value(value: Value, text: str) -> str | None:
    """What sorting and CSV take in place of the text; None where the text is all."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return None if value == text else value
    return None if repr(value) == text else repr(value)
