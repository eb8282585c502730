"""Array steps that several measures share; sums run over the few cells that count, in rank order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.tables.serps import Serps


def found(grades: NDArray[np.int8], code: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row and rank (from 1) of every cell of at least `code`, row by row in rank order."""
    flat = np.flatnonzero(grades >= code)
    rows, columns = np.divmod(flat, max(grades.shape[1], 1))
    return rows, columns + 1


def count_found(grades: NDArray[np.int8], code: int) -> NDArray[np.int64]:
    """Per row, how many cells are of at least `code`."""
    counts: NDArray[np.int64] = np.count_nonzero(grades >= code, axis=1)
    return counts


def first_rank(grades: NDArray[np.int8], code: int) -> NDArray[np.float64]:
    """Per row, the rank of the first cell of at least `code`; NaN where there is none."""
    if grades.shape[1] == 0:
        return np.full(grades.shape[0], np.nan)
    hits = grades >= code
    columns = hits.argmax(axis=1)
    is_hit = hits[np.arange(len(columns)), columns]
    return np.where(is_hit, columns + 1.0, np.nan)


def begin_of_row(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """For ascending row numbers, the place of the first entry of the same row."""
    highest = int(rows[-1]) if len(rows) else -1
    return np.searchsorted(rows, np.arange(highest + 1))[rows]


def place_in_row(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """For ascending row numbers, how many earlier entries have the same row."""
    return np.arange(len(rows)) - begin_of_row(rows)


def sum_by_row(rows: NDArray[np.int64], weights: NDArray[np.float64], serps: Serps) -> NDArray[np.float64]:
    """Per query, the sum of the weights of its entries, added in the order given."""
    sums: NDArray[Any] = np.bincount(rows, weights=weights, minlength=len(serps.query_ids))
    return sums.astype(np.float64, copy=False)  # numpy gives integers where there is nothing to sum


def share(part: NDArray[Any], whole: NDArray[Any]) -> NDArray[np.float64]:
    """`part / whole`, 0 where the whole is 0."""
    shares: NDArray[np.float64] = np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0)
    return shares
