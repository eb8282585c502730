"""Sums in the order of the queries: the same bits whether all values are there at once or come part by part."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def sum_in_order(values: NDArray[np.float64], start: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """The sums of the columns, (columns,), of values (rows, columns): row after row, from `start` on (else from 0).

    numpy adds a lone column, or one that lies in memory by itself, in another order; here no column depends on others.

    >>> values = np.random.default_rng(0).random((1000, 1))
    >>> whole, half = sum_in_order(values), sum_in_order(values[:500])
    >>> bool(whole == sum_in_order(values[500:], half)), bool(whole == sum_in_order(np.repeat(values, 3, axis=1))[0])
    (True, True)
    """
    columns = values.shape[1]
    total = np.zeros(max(columns, 2)) if start is None else np.resize(start, max(columns, 2))
    if len(values):
        # Two columns or more in C order: numpy then adds whole rows, one behind the other.
        rows = np.repeat(values, 2, axis=1) if columns == 1 else values
        total = np.add.reduce(np.ascontiguousarray(np.concatenate([total[None, :], rows])), axis=0)
    return total[:columns]
