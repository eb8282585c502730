"""Input of every comparison: checks of the SERPs, made once, and the ranks of the relevant documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.significance._base import is_whole
from runoff.tables.scores import SLAB_CELLS
from runoff.tables.serps import Serps


def check_same_ground(serps: Sequence[Serps]) -> None:
    """Refuse runs that are not over the same queries in the same order with the same labels."""
    first = serps[0]
    for other in serps[1:]:
        pair = f"runs '{first.run}' and '{other.run}'"
        if other.query_ids != first.query_ids:
            raise UsageError(
                f"{pair} are over different queries ({len(first.query_ids):,} and {len(other.query_ids):,}, or in "
                "another order); expected the same; build both from the same qrels"
            )
        if not np.array_equal(other.judged, first.judged) or other.values != first.values:
            raise UsageError(
                f"{pair} have different numbers of judged documents, or other grades; expected the same labels; build "
                "both from the same qrels"
            )


def check_several(serps: Sequence[Serps]) -> None:
    """Refuse fewer than two runs."""
    if len(serps) < 2:
        raise UsageError(f"{len(serps)} runs cannot be compared with one another; expected at least 2; give more runs")


def check_depth(serps: Serps, depth: int | None, level: int | None = None) -> None:
    """Refuse a depth that is not a count of ranks, or beyond the kept ranks of some list (None: the whole lists).

    level  a relevance level to check, too
    """
    for name, value in (("depth", depth), ("relevance level", level)):
        if value is not None and not is_whole(value, 1):
            raise UsageError(f"{name} {value!r} cannot be used; expected a whole number of 1 or more")
    needed = serps.retrieved if depth is None else np.minimum(serps.retrieved, depth)
    cut_off = int((needed > serps.depth).sum())
    if cut_off:
        ranks = "whole lists" if depth is None else f"{depth} ranks"
        raise UsageError(
            f"{ranks} are needed, but the SERPs of run '{serps.run}' keep {serps.depth} ranks and {cut_off:,} of its "
            f"lists are longer; build them with {ranks} or use a smaller depth"
        )


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

    >>> from runoff.measures._example import serps_from
    >>> found = relevant_ranks(serps_from("0101", "0000", "1110", relevant=3), cutoff=3)
    >>> found.ranks.tolist(), found.found.tolist(), found.table(3, 0).tolist()
    ([2, 1, 2, 3], [1, 0, 3], [[2, 0, 0], [0, 0, 0], [1, 2, 3]])
    """
    check_depth(serps, cutoff, level)
    queries, rows = len(serps.query_ids), max(1, SLAB_CELLS // max(1, serps.depth))
    lowest = serps.code_of(level)
    parts, counts = [], [np.zeros(0, dtype=np.int64)]
    for low in range(0, queries, rows):
        is_relevant = serps.grades[low : low + rows, :cutoff] >= lowest
        counts.append(np.count_nonzero(is_relevant, axis=1))
        parts.append(np.nonzero(is_relevant)[1].astype(np.int32) + 1)
    ranks = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)
    counts_found = np.concatenate(counts)
    begins = np.cumsum(counts_found) - counts_found
    firsts = np.full(queries, np.nan)
    firsts[counts_found > 0] = ranks[begins[counts_found > 0]]
    return RelevantRanks(ranks=ranks, begins=begins, found=counts_found, firsts=firsts)
