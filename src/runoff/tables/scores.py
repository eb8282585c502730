"""Per-query values of a measure, for one run or many, and their means, summed in the order of the queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.phrases import listed
from runoff.tables.read_only import ReadOnlyArrays


def sum_in_order(values: NDArray[np.float64], start: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """The sums of the columns, (columns,), of values (rows, columns): row after row, from `start` on (else from 0).

    numpy adds a lone column, or one that is in memory by itself, in another order; here no column depends on others.

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


SLAB_CELLS: Final = 1 << 22
"""Scores that are looked at at once, 32 MB: what is made of them stays small, wherever they are stored."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Scores(ReadOnlyArrays):
    """Per-query values of one measure: queries in rows, runs in columns.

    values is float64, queries x runs, read-only; NaN where the measure is undefined for a query (only ESL is). They may
    be in a file (`Scratch`), so work over all of them goes by `slabs`.
    """

    measure: str
    query_ids: Sequence[str]
    runs: tuple[str, ...]
    values: NDArray[np.float64]

    @property
    def means(self) -> NDArray[np.float64]:
        """Per run, the mean over the queries for which the measure is defined; NaN if there is none."""
        counts, sums = np.zeros(len(self.runs), dtype=np.int64), np.zeros(len(self.runs))
        for values in slabs(self.values):
            defined = ~np.isnan(values)
            counts += defined.sum(axis=0)
            sums = sum_in_order(np.where(defined, values, 0.0), sums)
        means: NDArray[np.float64] = np.full(len(self.runs), np.nan)
        np.divide(sums, counts, out=means, where=counts > 0)
        return means

    def of(self, run: str) -> NDArray[np.float64]:
        """The values of one run, in the order of `query_ids`."""
        if run not in self.runs:
            raise UsageError(f"no scores of a run '{run}'; expected one of {listed(self.runs)}; choose one of these")
        column: NDArray[np.float64] = self.values[:, self.runs.index(run)]
        return column

    @property
    def defined(self) -> NDArray[np.float64]:
        """The values of the queries for which the measure is defined for all runs."""
        values: NDArray[np.float64] = self.values[~np.isnan(self.values).any(axis=1)]
        return values

    def only(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> Scores:
        """The scores of some queries: a mask of them, or their places in order.

        >>> values = np.array([[0.1], [0.2], [0.3]])
        >>> scores = Scores(measure="AP", query_ids=("q1", "q2", "q3"), runs=("a",), values=values)
        >>> scores.only(np.array([2, 0])).query_ids, scores.only(np.array([True, True, False])).query_ids
        (('q3', 'q1'), ('q1', 'q2'))
        """
        places = np.arange(len(self.query_ids))[rows].tolist()
        query_ids = tuple(self.query_ids[place] for place in places)
        return replace(self, query_ids=query_ids, values=self.values[rows])

    def of_runs(self, runs: Sequence[str]) -> Scores:
        """The scores of some runs, in this order, as a table of its own."""
        return replace(self, runs=tuple(runs), values=np.column_stack([self.of(run) for run in runs]))

    def pair(self, first: str, second: str) -> Scores:
        """The scores of two runs, in the same memory.

        >>> scores = Scores(measure="AP", query_ids=("q",), runs=("a", "b", "c"), values=np.array([[0.1, 0.2, 0.3]]))
        >>> scores.pair("c", "a").values.tolist()
        [[0.3, 0.1]]
        """
        champion, challenger = self.runs.index(first), self.runs.index(second)
        columns = self.values[:, champion :: challenger - champion][:, :2]
        return replace(self, runs=(first, second), values=columns)


def slabs(values: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """Neighbouring queries of scores, queries x runs, in memory and row after row; one slab behind the other.

    How they are cut depends on the shape of the scores alone, so what is added slab by slab is the same everywhere.

    >>> [slab.shape for slab in slabs(np.zeros((3, 1 << 21)))]
    [(2, 2097152), (1, 2097152)]
    """
    rows = max(1, SLAB_CELLS // max(1, values.shape[1]))
    return (np.ascontiguousarray(values[low : low + rows]) for low in range(0, len(values), rows))
