"""Effectiveness beside cost: the runs that no other run beats on both."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError


def frontier(effectiveness: Sequence[float], *costs: Sequence[float]) -> NDArray[np.bool_]:
    """Which runs are not dominated: no other run is at least as good in everything and better in something.

    effectiveness  higher is better
    costs          latency, price and so on, lower is better; NaN where nobody knows, and such a run is left out

    >>> frontier([0.3, 0.4, 0.35], [10, 50, 60]).tolist()
    [True, True, False]
    """
    table = np.column_stack(
        [np.asarray(effectiveness, dtype=np.float64), *(-np.asarray(cost, float) for cost in costs)]
    )
    if not costs or table.ndim != 2 or np.isnan(table[:, 0]).any():
        raise UsageError("no cost or an undefined mean; expected a mean and at least one cost for every run; give them")
    is_priced = ~np.isnan(table).any(axis=1)
    free = np.zeros(len(table), dtype=np.bool_)
    for place in np.flatnonzero(is_priced):
        at_least = (table[is_priced] >= table[place]).all(axis=1)
        better = (table[is_priced] > table[place]).any(axis=1)
        free[place] = not (at_least & better).any()
    return free
