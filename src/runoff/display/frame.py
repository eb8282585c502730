"""A grid as a frame of Polars or pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runoff.display.grid import Column, Grid, Value
from runoff.errors import needs_extra

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


def to_frame(grid: Grid) -> pl.DataFrame:
    """A grid as a frame with machine column names and null for undefined values; title and notes are left out.

    Text is String (Boolean where it is all yes/no), counts are Int64, all other numbers Float64.
    """
    with needs_extra("a Polars frame", "polars"):
        import polars as pl

    return pl.DataFrame([_series(column, grid.values(column.name)) for column in grid.columns])


def to_pandas(grid: Grid) -> pd.DataFrame:
    """The same as a frame of pandas: undefined numbers are NaN, undefined counts and texts NA and None.

    Counts are Int64, all other numbers float64.
    """
    with needs_extra("a pandas frame", "pandas"):
        import pandas as pd

    frame = {}
    for column in grid.columns:
        values = list(grid.values(column.name))
        if column.kind == "count":
            frame[column.name] = pd.Series(values, dtype="Int64")
        elif column.is_numeric:
            frame[column.name] = pd.Series([None if value is None else float(value) for value in values], dtype=float)
        else:
            frame[column.name] = pd.Series(values, dtype=object)
    return pd.DataFrame(frame)


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
