"""Numbers as a board shows them: with the digits that its organisers set, in text and in what can be saved."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from runoff.reports.grid import Grid
from runoff.web.frame.context import shown


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A mean and its interval as places on a line from 0 to 100."""

    low: str = shown("Where the interval begins.")
    high: str = shown("Where it ends.")
    at: str = shown("Where the mean is.")


_DECIMAL = re.compile(r"\d+\.(\d+)")


def interval_on(low: float, high: float, at: float, *, scale: tuple[float, float]) -> Interval:
    """An interval on a line that shows a scale from end to end.

    >>> interval_on(0.25, 0.75, 0.5, scale=(0.0, 1.0))
    Interval(low='27.00', high='73.00', at='50.00')
    """
    start, end = scale
    width = (end - start) or 1.0

    def place(value: float) -> str:
        return f"{4 + 92 * (value - start) / width:.2f}"  # the ends leave room for a dot

    return Interval(low=place(low), high=place(high), at=place(at))


def number(value: float, digits: int) -> str:
    """A number with so many digits, and with the sign for minus that people read.

    >>> number(0.41249, 3), number(-1.0, 1)
    ('0.412', '−1.0')
    """
    return f"{value:.{digits}f}".replace("-", "\N{MINUS SIGN}")


def rounded_text(text: str, digits: int) -> str:
    """A text whose decimal numbers have at most so many digits.

    >>> rounded_text("a leads with 0.39142 (0.2 to 0.51)", 1)
    'a leads with 0.4 (0.2 to 0.5)'
    """
    return _DECIMAL.sub(lambda found: f"{float(found[0]):.{min(digits, len(found[1]))}f}", text)


def with_digits(grid: Grid, digits: int) -> Grid:
    """The same table with fewer digits of every score, also of the values that are sorted and saved."""
    scores = [column.kind == "number" and column.places > digits for column in grid.columns]
    columns = [
        replace(column, digits=digits) if is_score else column
        for column, is_score in zip(grid.columns, scores, strict=True)
    ]
    rows = [
        [
            round(value, digits) if is_score and isinstance(value, float) else value
            for value, is_score in zip(row, scores, strict=True)
        ]
        for row in grid.rows
    ]
    return replace(grid, columns=columns, rows=rows)
