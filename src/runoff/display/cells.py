"""Values as a person reads them, shared by every format that people read."""

from __future__ import annotations

import math
import unicodedata
from typing import Final

from runoff.display.grid import Column, Grid, Value

UNDEFINED: Final = "\N{EN DASH}"
"""Shown for a value that does not exist."""

MILLION: Final = 1_000_000
"""Queries that nobody has: what needs more is not said more exactly."""

_HIDDEN_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
# These turn the direction of the text around them, so a name could rewrite its neighbours.
_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    r"""Write control characters out, so that a name cannot steer a terminal or break a line.

    >>> visible("bm25\x1b[2J")
    'bm25\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(_escape(char) if _is_hidden(char) else char for char in text)


def cell_text(column: Column, value: Value) -> str:
    """One value as a person reads it, with ASCII digits and signs.

    >>> cell_text(Column("queries", "Queries", "count"), 6980)
    '6,980'
    >>> cell_text(Column("p", "p", "p"), 2.5e-5), cell_text(Column("p", "p", "p", digits=3), 0.001)
    ('<0.0001', '≤0.001')
    """
    if value is None:
        return UNDEFINED
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return visible(value)
    return _number_text(column, value)


def text_rows(grid: Grid) -> list[list[str]]:
    """Every cell of a grid as text, row by row."""
    return [[cell_text(column, value) for column, value in zip(grid.columns, row, strict=True)] for row in grid.rows]


def best_cells(grid: Grid) -> frozenset[tuple[int, int]]:
    """The (row, column) of every cell that reads the same as its column's best value.

    A column in which all defined values read the same has no best cell.
    """
    found: set[tuple[int, int]] = set()
    for place, column in enumerate(grid.columns):
        if column.best is None:
            continue
        values = [value for value in grid.values(column.name) if isinstance(value, (int, float))]
        if not values:
            continue
        top = cell_text(column, max(values) if column.best == "high" else min(values))
        texts = [cell_text(column, row[place]) for row in grid.rows]
        if set(texts) - {UNDEFINED} != {top}:
            found |= {(at, place) for at, text in enumerate(texts) if text == top}
    return frozenset(found)


def _number_text(column: Column, value: float) -> str:
    sign = "+" if column.signed else ""
    if column.kind == "count":
        if column.is_needed and value > MILLION:
            return "more than a million"
        return f"{value:{sign},}"
    if math.isinf(value):
        return f"{'-' if value < 0 else sign}∞"
    if column.kind == "share":
        return f"{value:{sign}z.{column.places}%}"
    if column.kind == "p" and value <= (least := 10.0**-column.places):
        # A p-value that was rounded up to the least that can be shown is at most that.
        return f"{'<' if value < least else '≤'}{least:.{column.places}f}"
    return f"{value:{sign}z,.{column.places}f}"


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in _HIDDEN_CATEGORIES or char in _DIRECTION_MARKS


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
