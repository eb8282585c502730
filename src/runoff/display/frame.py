"""A grid as a Polars frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runoff.display.grid import Column, Grid, Value
from runoff.errors import needs_extra

if TYPE_CHECKING:
    import polars as pl


def to_frame(grid: Grid) -> pl.DataFrame:
    """A grid as a frame with machine column names and null for undefined values; title and notes are left out.

    Text is String (Boolean where it is all yes/no), counts are Int64, all other numbers Float64.
    """
    with needs_extra("a Polars frame", "polars"):
        import polars as pl

    return pl.DataFrame([_series(column, grid.values(column.name)) for column in grid.columns])


def _series(column: Column, values: tuple[Value, ...]) -> pl.Series:
    import polars as pl

    defined = [value for value in values if value is not None]
    if column.kind == "count":
        return pl.Series(column.name, values, dtype=pl.Int64)
    if column.is_numeric:
        numbers = [None if value is None else float(value) for value in values]
        return pl.Series(column.name, numbers, dtype=pl.Float64)
    if defined and all(isinstance(value, bool) for value in defined):
        return pl.Series(column.name, values, dtype=pl.Boolean)
    return pl.Series(column.name, [None if value is None else _word(value) for value in values], dtype=pl.String)


def _word(value: Value) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)
