"""The ranks of the relevant documents that a run finds: the first, the second, and so on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.measures import ESL
from runoff.tables.scores import SLAB_CELLS
from runoff.tables.serps import Serps


@dataclass(frozen=True, eq=False, kw_only=True)
class RelevantRanks:
    """Where one run finds relevant documents, all queries behind one another.

    ranks   int32: the ranks of the relevant documents of the first query, ascending, then of the next one
    begins  int64, queries: where each query's ranks begin
    found   int64, queries: how many there are
    firsts  float64, queries: the first of them; NaN where there is none
    """

    ranks: NDArray[np.int32]
    begins: NDArray[np.int64]
    found: NDArray[np.int64]
    firsts: NDArray[np.float64]

    def table(self, width: int, missing: int) -> NDArray[np.int64]:
        """Queries x width: the rank of the i-th relevant document, `missing` where fewer are found."""
        table = np.full((len(self.found), width), missing, dtype=np.int64)
        rows = np.repeat(np.arange(len(self.found)), self.found)
        table[rows, np.arange(len(rows)) - self.begins[rows]] = self.ranks
        return table

    def sum_of_first(self, counts: NDArray[np.int64], *, reciprocal: bool = False) -> NDArray[np.float64]:
        """Per query, the sum of its first `counts` ranks, or of one over these."""
        values = 1.0 / self.ranks if reciprocal else self.ranks.astype(np.float64)
        rows = np.repeat(np.arange(len(counts)), counts)
        places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts) + self.begins[rows]
        sums: NDArray[Any] = np.bincount(rows, weights=values[places], minlength=len(counts))
        return sums.astype(np.float64, copy=False)  # numpy gives integers where there is nothing to sum


def relevant_ranks(serps: Serps, *, cutoff: int | None, level: int = 1) -> RelevantRanks:
    """Where a run finds documents of at least `level` to rank `cutoff`; None is the whole list.

    >>> from runoff.comparisons._example import serps_from
    >>> found = relevant_ranks(serps_from("0101", "0000", "1110", relevant=3), cutoff=3)
    >>> found.ranks.tolist(), found.found.tolist(), found.table(3, 0).tolist()
    ([2, 1, 2, 3], [1, 0, 3], [[2, 0, 0], [0, 0, 0], [1, 2, 3]])
    """
    firsts = ESL(cutoff=cutoff, rel=level).values(serps)  # refuses lists that are cut off too early
    queries, rows = len(serps.query_ids), max(1, SLAB_CELLS // max(1, serps.depth))
    lowest = serps.code_of(level)
    parts, counts = [], [np.zeros(0, dtype=np.int64)]
    for low in range(0, queries, rows):
        is_relevant = serps.grades[low : low + rows, :cutoff] >= lowest
        counts.append(np.count_nonzero(is_relevant, axis=1))
        parts.append(np.nonzero(is_relevant)[1].astype(np.int32) + 1)
    found = np.concatenate(counts)
    return RelevantRanks(
        ranks=np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32),
        begins=np.cumsum(found) - found,
        found=found,
        firsts=firsts,
    )
