"""Grids as what the page's template shows: every cell as text, with the value that sorting and CSV need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from runoff.display.grid import Grid, Value, legend_of, raised, shown_columns, shown_rows, visible

FILTER_FROM: Final = 12
"""A table of more rows than this gets a box to search in it."""
SHORT: Final = 18
LONGEST_NAME: Final = 40
"""A text of at most this many characters, or a single word such as a name, is never broken."""
LONGEST_WORD: Final = 64
"""A longer word, such as a checksum, is broken only on a narrow screen."""
MOST_NOTES: Final = 4
"""Notes that are shown below a table; the rest is folded."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One cell: its text, its value where the text does not hold all of it, and how it is set."""

    text: str
    value: str | None
    is_head: bool
    is_number: bool
    is_best: bool
    is_short: bool
    is_long: bool


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
    columns = shown_columns(grid)
    values = [grid.values(column.name) for column in columns]
    rows = []
    for at, row in enumerate(shown_rows(grid)):
        cells = []
        for place, (column, source) in enumerate(zip(columns, row, strict=True)):
            text = f"{source.text}{raised(source.marks)}{f' ±{source.spread}' if source.spread else ''}"
            cell = Cell(
                text=text.replace("-", "\N{MINUS SIGN}") if column.is_numeric else text,
                value=_value(values[place][at], text),
                is_head=place == 0,
                is_number=column.is_numeric,
                is_best=source.is_best,
                is_short=not column.is_numeric and (len(text) <= SHORT or _is_word(text, LONGEST_NAME)),
                is_long=not column.is_numeric and len(text) > LONGEST_NAME and _is_word(text, LONGEST_WORD),
            )
            cells.append(cell)
        rows.append(tuple(cells))
    headings = tuple(
        Heading(
            name=column.name,
            text=visible(column.heading).strip(),
            help=visible(column.help),
            is_number=column.is_numeric,
        )
        for column in columns
    )
    notes = tuple(map(visible, filter(None, [legend_of(grid), *grid.notes])))
    explained = " ".join(notes).lower()
    return Table(
        key=key,
        caption=visible(grid.title) or "Table",
        headings=headings,
        rows=tuple(rows),
        notes=notes if len(notes) <= MOST_NOTES else notes[: MOST_NOTES - 1],
        more_notes=() if len(notes) <= MOST_NOTES else notes[MOST_NOTES - 1 :],
        helps=tuple(heading for heading in headings if heading.help and heading.help.lower() not in explained),
        has_filter=len(rows) > FILTER_FROM,
    )


def _is_word(text: str, longest: int) -> bool:
    return " " not in text and len(text) <= longest


def _value(value: Value, text: str) -> str | None:
    """What sorting and CSV take in place of the text; None where the text is all."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return None if value == text else value
    return None if repr(value) == text else repr(value)
