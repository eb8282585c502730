"""Bootstrap of the queries of a board: means and ranks of every sample, with exact sums and exact ties.

Word k of the PCG64 stream of (seed, query set) always serves the same two draws, and all sums are of whole numbers
below 2^53. So every result is the same, bit for bit, in blocks of any size, on any number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from runoff.boards._spread import Progress, Spread, summed
from runoff.errors import UsageError
from runoff.significance import grid_exponent, to_grid
from runoff.tables.memory import keep_freed_memory
from runoff.tables.scores import SLAB_CELLS, Scores, slabs

BLOCK_CELLS = 1 << 22  # draws held at once, 32 MB: 600 trials of 7,000 queries, so the matrix product is fast
PART_CELLS = 1 << 17  # of which 1 MB is drawn at a time, which stays in the cache
LONG_TRIAL = 1 << 20  # the most draws of a trial that are held at once; an even number
HELD_COUNTS = 1 << 28  # counts of draws held while a board that is not in memory goes by, 256 MB
SPREAD_CELLS = 1 << 23  # scores in a block of queries that is sent elsewhere, 64 MB
SPREAD_DRAWS = 1 << 26  # draws that are one piece of work there, half a second
REDRAWS, HALF_SPLITS, WINNER = (
    3,
    4,
    6,
)  # first spawn keys; 0 to 2 are those of the significance tests: no two share their numbers
LARGEST_SCORE = 1e100  # sums of larger numbers overflow


@dataclass(frozen=True, eq=False, kw_only=True)
class IntegerScores:
    """Scores as whole numbers of a unit 2^-exponent so fine that sums over all queries stay below 2^52.

    Lower is better in the whole numbers. Each is off by half a unit at most, so sums of equal value differ by
    `tolerance`, the number of queries, at most: what is nearer than that is a tie.

    values  the scores, queries x runs; they may be in a file
    """

    values: NDArray[np.float64]
    exponent: int
    sign: int

    @property
    def tolerance(self) -> int:
        """How many units two sums of equal value may differ by."""
        return len(self.values)

    @cached_property
    def whole(self) -> NDArray[np.float64]:
        """The whole numbers, queries x runs, of a board that fits into memory."""
        return self.rows(0, len(self.values))

    @property
    def is_small(self) -> bool:
        """Whether the whole numbers may be held all at once."""
        return self.values.size <= SLAB_CELLS

    def rows(self, low: int, high: int) -> NDArray[np.float64]:
        """The whole numbers of some queries."""
        whole = to_grid(np.ascontiguousarray(self.values[low:high]), self.exponent)
        whole *= self.sign
        return whole

    def slabs(self) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """The whole numbers of all queries, some at a time, with the first of these."""
        if self.is_small:
            yield 0, self.whole
            return
        size = max(1, SLAB_CELLS // self.values.shape[1])
        for low in range(0, len(self.values), size):
            yield low, self.rows(low, low + size)

    def totals(self) -> NDArray[np.float64]:
        """The sums over all queries, per run."""
        return np.asarray(sum(slab.sum(axis=0) for _, slab in self.slabs()))

    def means(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean scores that sums of whole numbers stand for; one rounding."""
        means: NDArray[np.float64] = np.ldexp(self.sign * sums, -self.exponent) / len(self.values)
        return means


def make_grid(scores: Scores, *, best_is_low: bool = False) -> IntegerScores:
    """Put the scores of a board on a grid; refuse a board without queries, runs or finite scores."""
    values = scores.values
    if not values.size:
        raise UsageError(
            f"the scores of {scores.measure} have {len(scores.query_ids)} queries and {len(scores.runs)} runs; "
            "expected at least one of each; give the scores of a board"
        )
    if len(set(scores.runs)) < len(scores.runs):
        raise UsageError(f"two of the {len(scores.runs)} runs have the same name; expected one name each; rename one")
    largest, bad = 0.0, 0
    for slab in slabs(values):
        sizes = np.abs(slab)
        bad += int((~(sizes <= LARGEST_SCORE)).sum())
        largest = max(largest, float(sizes.max()))
    if bad:
        raise UsageError(
            f"{bad:,} of the {values.size:,} scores of {scores.measure} are undefined or beyond {LARGEST_SCORE:g}; "
            "expected finite numbers; leave those queries out for all runs"
        )
    return IntegerScores(values=values, exponent=grid_exponent(largest, len(values)), sign=1 if best_is_low else -1)


def draws(first: int, count: int, queries: int, *, seed: int, query_set: int = 0) -> NDArray[np.int64]:
    """The queries drawn with replacement, (count, queries), in the trials from `first` on.

    A draw is a random 32-bit number times `queries`, shifted down by 32 bits. No query's chance is off by more than the
    share queries / 2^32 of itself: two in a million for 7,000 queries.
    """
    words = -(-queries // 2)  # per trial; two draws each
    bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(REDRAWS, query_set)))
    bits.advance(first * words)
    halves = bits.random_raw(count * words).astype("<u8", copy=False).view("<u4").reshape(count, 2 * words)
    return _places(halves[:, :queries], queries)


def _places(halves: NDArray[np.uint32], queries: int) -> NDArray[np.int64]:
    drawn = halves.astype(np.uint64)
    drawn *= np.uint64(queries)
    drawn >>= np.uint64(32)
    return drawn.view(np.int64)


def draws_between(trial: int, start: int, stop: int, queries: int, *, seed: int, query_set: int) -> NDArray[np.int64]:
    """The draws `start` (an even number) to `stop` of one trial: the same numbers as those of `draws`."""
    bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(REDRAWS, query_set)))
    bits.advance(trial * -(-queries // 2) + start // 2)
    halves = bits.random_raw(-(-(stop - start) // 2)).astype("<u8", copy=False).view("<u4")
    return _places(halves[: stop - start], queries)


def query_counts(first: int, count: int, queries: int, *, seed: int, query_set: int = 0) -> NDArray[np.float64]:
    """How often each query is drawn, (count, queries), in the trials from `first` on; each row adds to `queries`."""
    if queries > LONG_TRIAL:
        return counts_between(Trials(first, count, seed, query_set), 0, queries, queries)
    counts = np.empty((count, queries))
    rows = max(1, PART_CELLS // queries)
    for part in range(0, count, rows):
        drawn = draws(first + part, min(rows, count - part), queries, seed=seed, query_set=query_set)
        for row, draw in enumerate(drawn, part):
            counts[row] = np.bincount(draw, minlength=queries)
    return counts


@dataclass(frozen=True)
class Trials:
    """Some trials of a bootstrap: how many, from which on, and the stream that they draw from."""

    first: int
    count: int
    seed: int
    query_set: int = 0


@dataclass(frozen=True, eq=False)
class QueryBlock:
    """Neighbouring queries of a grid: the first of them, their whole numbers, and how many queries there are in all."""

    low: int
    whole: NDArray[np.float64]
    queries: int


def counts_between(trials: Trials, low: int, high: int, queries: int) -> NDArray[np.float64]:
    """How often each of the queries `low` to `high` is drawn, (trials, high - low); memory is that of the result."""
    counts = np.zeros((trials.count, high - low))
    held = max(LONG_TRIAL, (high - low) // 8 * 2)  # adding up the counts must not take longer than drawing
    for row in range(trials.count):
        for start in range(0, queries, held):
            drawn = draws_between(
                trials.first + row,
                start,
                min(start + held, queries),
                queries,
                seed=trials.seed,
                query_set=trials.query_set,
            )
            if high - low < queries:
                drawn = drawn[(drawn >= low) & (drawn < high)] - low
            counts[row] += np.bincount(drawn, minlength=high - low)
    return counts


def block_sums(block: QueryBlock, trials: Trials) -> NDArray[np.float64]:
    """What a block of queries adds to the sums of some trials, trials x runs: whole numbers, so in any order."""
    size, runs = block.whole.shape
    sums = np.empty((trials.count, runs))
    rows = max(1, BLOCK_CELLS // size)
    for part in range(0, trials.count, rows):
        some = Trials(trials.first + part, min(rows, trials.count - part), trials.seed, trials.query_set)
        sums[part : part + rows] = counts_between(some, block.low, block.low + size, block.queries) @ block.whole
    return sums


def redraws(
    grid: IntegerScores,
    *,
    trials: int,
    seed: int,
    query_set: int = 0,
    block_cells: int = BLOCK_CELLS,
    spread: Spread | None = None,
    progress: Progress | None = None,
) -> Iterator[NDArray[np.float64]]:
    """Sums of whole numbers, trials x runs, of the queries drawn in each trial; block after block.

    spread    what does the work on blocks of queries, such as a cluster; the sums are the same
    progress  called with how much is done, and of how much
    """
    blocks: Iterator[NDArray[np.float64]]
    if spread is not None:
        yield from _spread_redraws(grid, Trials(0, trials, seed, query_set), spread, progress)
        return
    keep_freed_memory()
    queries, runs = grid.values.shape
    if grid.is_small:
        size = max(1, block_cells // max(queries, runs))
        blocks = (
            query_counts(first, min(size, trials - first), queries, seed=seed, query_set=query_set) @ grid.whole
            for first in range(0, trials, size)
        )
    else:
        blocks = _slab_redraws(grid, trials, seed, query_set)
    done = 0
    for sums in blocks:
        done += len(sums)
        if progress is not None:
            progress(done, trials)
        yield sums


def _slab_redraws(grid: IntegerScores, trials: int, seed: int, query_set: int) -> Iterator[NDArray[np.float64]]:
    """The same for a board that is not held in memory: queries are drawn once, and the scores go by for many trials."""
    queries, runs = grid.values.shape
    size = max(1, min(HELD_COUNTS // queries, BLOCK_CELLS // runs))
    for first in range(0, trials, size):
        count = min(size, trials - first)
        counts = np.empty((count, queries), dtype=np.uint8)  # nobody lives to see a query drawn 256 times
        for row in range(count):
            counts[row] = query_counts(first + row, 1, queries, seed=seed, query_set=query_set)[0]
        sums = np.zeros((count, runs))
        for low, slab in grid.slabs():
            rows = max(1, BLOCK_CELLS // len(slab))
            for part in range(0, count, rows):
                some = counts[part : part + rows, low : low + len(slab)].astype(np.float64)
                sums[part : part + rows] += some @ slab
        yield sums


def _spread_redraws(
    grid: IntegerScores, trials: Trials, spread: Spread, progress: Progress | None
) -> Iterator[NDArray[np.float64]]:
    queries, runs = grid.values.shape
    size, count = max(1, SPREAD_CELLS // runs), max(1, SPREAD_DRAWS // queries)
    requests = [
        Trials(first, min(count, trials.count - first), trials.seed, trials.query_set)
        for first in range(0, trials.count, count)
    ]
    yield from summed(
        spread,
        block_sums,
        range(0, queries, size),
        lambda low: QueryBlock(low, grid.rows(low, low + size), queries),
        requests,
        held=max(1, SPREAD_CELLS // (min(count, trials.count) * runs)),
        progress=progress,
    )


def places(sums: NDArray[np.float64], tolerance: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each trial and run: how many runs are better, and how many are tied with it, itself included.

    Runs tie when no gap between neighbours from one to the other is wider than the tolerance.

    >>> starts, sizes = places(np.array([[7.0, 1.0, 6.0, 9.0]]), tolerance=1)
    >>> starts.tolist(), sizes.tolist()
    ([[1, 0, 1, 3]], [[2, 1, 2, 1]])
    """
    order = np.argsort(sums, axis=1)
    ordered = np.take_along_axis(sums, order, axis=1)
    runs = sums.shape[1]
    opens = np.ones((len(sums), runs + 1), dtype=np.bool_)
    opens[:, 1:-1] = np.diff(ordered, axis=1) > tolerance
    place = np.arange(runs + 1)
    starts = np.maximum.accumulate(np.where(opens[:, :-1], place[:-1], 0), axis=1)
    ends = np.minimum.accumulate(np.where(opens[:, :0:-1], place[:0:-1], runs), axis=1)[:, ::-1]
    start_of, size_of = np.empty_like(order), np.empty_like(order)
    np.put_along_axis(start_of, order, starts, axis=1)
    np.put_along_axis(size_of, order, ends - starts, axis=1)
    return start_of, size_of
