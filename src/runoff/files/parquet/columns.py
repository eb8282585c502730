"""Columns of Parquet files, read with Polars: ids as bytes, numbers as float64, faults by row."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import numpy as np
from numpy.typing import NDArray

from runoff.files.problems import Problems, quoted
from runoff.files.streams import Source, is_regular_file
from runoff.tables.ids import Ids, Text

if TYPE_CHECKING:
    import polars as pl

_MAGIC = b"PAR1"


def is_parquet(source: Source) -> bool:
    """Whether a source holds Parquet, by its first bytes; standard input and open files never do."""
    if isinstance(source, bytes):
        return source.startswith(_MAGIC)
    if not is_regular_file(source):
        return False
    try:
        with Path(cast("str", source)).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:  # the reader of text says what is wrong
        return False


_FIRST_PRINTABLE: Final = 0x20


def id_series(series: pl.Series) -> pl.Series | None:
    """A column of ids as text; None if it can hold none, such as a column of fractions."""
    import polars as pl

    kind = series.dtype
    if kind == pl.String:
        return series
    if kind.is_integer() or kind in (pl.Categorical, pl.Enum):
        return series.cast(pl.String)
    if kind == pl.Binary:  # some writers mark text as bytes
        return series.cast(pl.String, strict=False)
    return None


def id_column(series: pl.Series, column_name: str, problems: Problems, rows_before: int) -> Ids:
    """A column of ids; what cannot be one is noted with its row, counted from 1 behind `rows_before`."""
    ids = id_series(series)
    if ids is None:
        values = series
        faulty = np.arange(len(series))
        column = Ids(Text.of(b""), np.zeros(len(series) + 1, dtype=np.int64))
    else:
        values = ids
        texts = ids.fill_null("")
        bounds = np.zeros(len(texts) + 1, dtype=np.int64)
        np.cumsum(texts.str.len_bytes().to_numpy(), out=bounds[1:])
        joined = texts.str.join("").item() or ""
        column = Ids(Text.of(joined.encode()), bounds)
        odd = np.flatnonzero(column.text.bytes < _FIRST_PRINTABLE)
        faulty = np.union1d(np.flatnonzero(column.lengths == 0), np.searchsorted(bounds, odd, side="right") - 1)
    problems.add_all(
        (faulty + rows_before + 1).tolist(),
        lambda place: (
            f"{_told(column_name, values[int(faulty[place])], 'cannot be an id')}; expected text or a whole number; "
            "fix it"
        ),
    )
    return column


def number_column(series: pl.Series, column: str, problems: Problems, rows_before: int) -> NDArray[np.float64]:
    """A column of finite numbers; what is none is noted with its row, counted from 1 behind `rows_before`.

    column  score, rank or grade
    """
    import polars as pl

    if series.dtype.is_numeric() or series.dtype in (pl.Boolean, pl.Decimal):
        numbers = np.array(series.cast(pl.Float64).fill_null(float("nan")).to_numpy(), dtype=np.float64)
    else:
        numbers = np.full(len(series), np.nan)
    bad = np.flatnonzero(~np.isfinite(numbers))
    fault = "is not a finite number" if series.dtype != pl.String else "is text"
    example = "a number such as 12.5" if column == "score" else "a whole number such as 1"
    problems.add_all(
        (bad + rows_before + 1).tolist(),
        lambda place: (
            f"{_told(column, series[int(bad[place])], fault)}; expected {example}; "
            + ("write the column as numbers" if series.dtype == pl.String else "fix or remove the row")
        ),
    )
    return numbers


def _told(column: str, value: object, fault: str) -> str:
    return f"{column} is missing" if value is None else f"{column} {quoted(str(value))} {fault}"
