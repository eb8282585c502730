"""Per-query values of a measure, for one run or many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.tables.sums import sum_in_order


@dataclass(frozen=True, eq=False, kw_only=True)
class Scores:
    """Per-query values of one measure: queries in rows, runs in columns.

    values is float64, queries x runs, read-only; NaN where the measure is undefined for a query (only ESL is).
    """

    measure: str
    query_ids: tuple[str, ...]
    runs: tuple[str, ...]
    values: NDArray[np.float64]

    def __post_init__(self) -> None:
        self.values.setflags(write=False)

    @property
    def means(self) -> NDArray[np.float64]:
        """Per run, the mean over the queries for which the measure is defined; NaN if there is none."""
        defined = ~np.isnan(self.values)
        counts = defined.sum(axis=0)
        sums = sum_in_order(np.where(defined, self.values, 0.0))
        means: NDArray[np.float64] = np.full(len(self.runs), np.nan)
        np.divide(sums, counts, out=means, where=counts > 0)
        return means

    def of(self, run: str) -> NDArray[np.float64]:
        """The values of one run, in the order of `query_ids`."""
        if run not in self.runs:
            raise UsageError(f"no scores of a run '{run}'; expected one of {', '.join(self.runs)}; choose one of these")
        column: NDArray[np.float64] = self.values[:, self.runs.index(run)]
        return column
