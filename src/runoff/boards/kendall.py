"""Kendall's tau between orders of runs, and what a tau can be compared with: random splits and halves of the queries.

Noise lowers tau, and drawing the queries again lowers it once more, so a bootstrap interval of tau covers nothing that
one would want to know. What tau would be if only the luck of the queries differed can be measured instead.

Word k of the PCG64 stream of a seed always serves the same trial and query, and all sums are of whole numbers. So every
result is the same, bit for bit, in blocks of any size, on any number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff.boards._bootstrap import BLOCK_CELLS as HELD_CELLS
from runoff.boards._bootstrap import HELD_COUNTS, IntegerScores, make_grid, places
from runoff.boards.stability import percentiles
from runoff.errors import UsageError
from runoff.tables.scores import Scores

BLOCK_CELLS = 1 << 20  # signs of pairs held at once, 1 MB per order
MOST_TRIALS: Final = 10_000
"""Random splits that are looked at, at most."""
SPLITS: Final = 9
"""Which random stream of a seed is used here; significance, boards and simulation have 0 to 7."""

Starts: TypeAlias = NDArray[np.int32]
"""How many runs are better than each, trials x runs."""


@dataclass(frozen=True, kw_only=True)
class SplitReference:
    """Tau of random splits of the pooled queries of two disjoint sets, into sets of the same sizes.

    median, range95  of the taus of the splits; the range is that of the middle 95%
    p                (1 + number of splits whose tau is as low or lower) / (trials + 1): small where the order of the
                     runs differs between the two sets, or the difficulty of the queries
    """

    trials: int
    median: float
    range95: tuple[float, float]
    p: float


@dataclass(frozen=True, kw_only=True)
class HalfReference:
    """Mean tau between disjoint halves of the same queries, over random halvings.

    across  one half under the first condition, the other under the second
    within  both halves under the first condition, and both under the second
    """

    trials: int
    across: float
    within: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class NoReference:
    """There is nothing to compare a tau with; `why` says so in a clause."""

    why: str


TauReference: TypeAlias = SplitReference | HalfReference | NoReference


def tau_b(first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.float64]:
    """Kendall's tau-b of two orders of the same runs, per row.

        tau-b = sum of s t / sqrt(sum of s^2 x sum of t^2) over pairs of runs, s and t the signs of their differences

    A pair tied in one order adds 0. Where all runs tie in an order nothing agrees or disagrees, and tau-b is 0.

    Kendall 1945, The treatment of ties in ranking problems, https://doi.org/10.1093/biomet/33.3.239
    """
    runs = first.shape[1]
    i, j = np.triu_indices(runs, 1)
    taus = np.empty(len(first))
    size = max(1, BLOCK_CELLS // max(len(i), 1))
    for row in range(0, len(first), size):
        s, t = (_signs(order[row : row + size], i, j) for order in (first, second))
        agreeing = (s * t).sum(axis=1, dtype=np.int64)
        pairs = np.count_nonzero(s, axis=1) * np.count_nonzero(t, axis=1)
        taus[row : row + size] = agreeing / np.sqrt(np.maximum(pairs, 1))
    return taus


def split_reference(first: Scores, second: Scores, *, trials: int = 1000, seed: int = 0) -> SplitReference:
    """What tau between two disjoint query sets would be if their queries were one set, split at random.

    first, second  scores of the same runs under the same labels and measure, on queries of which none is in both
    trials         random splits; 10,000 at most

    A permutation test: if the queries of both sets have one source, p is at most u with probability u at most.

    >>> values = np.array([[1, 0.5, 0], [1, 0.6, 0.5], [0.5, 0.4, 0], [1, 0.9, 0], [0.9, 0.8, 0.7], [0.4, 0.3, 0.1]])
    >>> one, other = (
    ...     Scores(measure="AP", query_ids=tuple(ids), runs=("x", "y", "z"), values=some)
    ...     for ids, some in (("abc", values[:3]), ("def", values[3:]))
    ... )
    >>> split_reference(one, other, trials=99)
    SplitReference(trials=99, median=1.0, range95=(1.0, 1.0), p=1.0)
    """
    if first.runs != second.runs:
        raise UsageError("the two sets of scores have different runs; expected the same, in the same order")
    size, trials = len(first.query_ids), min(trials, MOST_TRIALS)
    pooled = Scores(
        measure=first.measure,
        query_ids=(*first.query_ids, *second.query_ids),
        runs=first.runs,
        values=np.concatenate([first.values, second.values]),
    )
    grid = make_grid(pooled)
    own = grid.rows(0, size).sum(axis=0)[None, :]
    # The observed split is looked at in the same way as the random ones, ties included: p is exact.
    observed = tau_b(*(_starts(sums, grid) for sums in (own, grid.totals() - own)))[0]
    taus = np.concatenate(
        [
            tau_b(_starts(left, grid), _starts(right, grid))
            for left, right in _split_sums(grid, size, trials=trials, seed=seed)
        ]
    )
    low, high = percentiles(taus[:, None])[:, 0].tolist()
    return SplitReference(
        trials=trials,
        median=float(np.median(taus)),
        range95=(low, high),
        p=(1 + int(np.count_nonzero(taus <= observed))) / (trials + 1),
    )


def half_orders(grid: IntegerScores, *, trials: int, seed: int) -> tuple[Starts, Starts]:
    """The orders of the runs on the two halves of random halvings of the queries; boards of as many queries share them.

    trials  random halvings; 10,000 at most
    """
    halves = [
        (_starts(first, grid), _starts(second, grid))
        for first, second in _split_sums(grid, len(grid.values) // 2, trials=min(trials, MOST_TRIALS), seed=seed)
    ]
    return np.concatenate([first for first, _ in halves]), np.concatenate([second for _, second in halves])


def half_reference(first: tuple[Starts, Starts], second: tuple[Starts, Starts]) -> HalfReference:
    """Tau across two conditions on disjoint halves of their queries, beside tau within each on such halves."""
    across = (tau_b(first[0], second[1]) + tau_b(second[0], first[1])).mean() / 2.0
    within = [float(tau_b(*half).mean()) for half in (first, second)]
    return HalfReference(trials=len(first[0]), across=float(across), within=(within[0], within[1]))


def _starts(sums: NDArray[np.float64], grid: IntegerScores) -> Starts:
    return places(sums, grid.tolerance)[0].astype(np.int32)


def _split_sums(
    grid: IntegerScores, size: int, *, trials: int, seed: int
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """The sums over `size` random queries and over the others, trials x runs each; block after block."""
    queries, runs = grid.values.shape
    totals = grid.totals()
    held = HELD_CELLS // max(queries, runs) if grid.is_small else min(HELD_COUNTS // queries, HELD_CELLS // runs)
    for first in range(0, trials, max(1, held)):
        chosen = _chosen(first, min(max(1, held), trials - first), queries, size, seed)
        sums = np.zeros((len(chosen), runs))
        for low, slab in grid.slabs():
            sums += chosen[:, low : low + len(slab)].astype(np.float64) @ slab
        yield sums, totals - sums


def _chosen(first: int, count: int, queries: int, size: int, seed: int) -> NDArray[np.bool_]:
    """Which queries are in the first set in the trials from `first` on, (count, queries): those of the lowest words."""
    bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(SPLITS,)))
    bits.advance(first * queries)
    chosen = np.empty((count, queries), dtype=np.bool_)
    place, shift = np.arange(queries, dtype=np.uint64), np.uint64(queries.bit_length())
    for row in range(count):
        words = bits.random_raw(queries) >> shift << shift | place  # no two are equal
        chosen[row] = words <= np.partition(words, size - 1)[size - 1] if size else False
    return chosen


def _signs(order: NDArray[np.int32], i: NDArray[np.intp], j: NDArray[np.intp]) -> NDArray[np.int8]:
    """Whether run j is behind run i, 1, or ahead of it, -1, or tied, 0; rows x pairs."""
    left, right = order[:, i], order[:, j]
    return (left < right).astype(np.int8) - (left > right).astype(np.int8)
