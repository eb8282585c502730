"""Random halves of the queries of a board, whole or by blocks of queries, and what is counted in them.

Word k of the PCG64 stream of (seed, split) always belongs to query k, and the first half has the smaller words. Once
the word of its last query is known, a block of queries tells by itself which of them are in it. Counts are whole
numbers. So every result is the same, bit for bit, in blocks of any size, wherever they are counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, pairwise, product
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from runoff.boards import _spread
from runoff.boards._bootstrap import HALF_SPLITS
from runoff.boards._spread import Spread, here, summed
from runoff.significance import (
    Counted,
    HalfPairsResult,
    PackedSplits,
    ScoreTable,
    grid_exponent,
    half_pairs_of_sums,
    half_sums,
    to_grid,
)
from runoff.tables.scores import slabs

Halves: TypeAlias = tuple[NDArray[np.intp], NDArray[np.intp]]

STRETCH = 1 << 17  # queries whose halves are found at once
BLOCK_SCORES = 1 << 25  # codes of scores in a block of queries that is sent elsewhere, 32 MB where values are below 256
BACK_CELLS = 1 << 20  # counts that come back at once, 4 MB
HELD_SUMS = 64  # of them held while the blocks of a board that is sent in rounds go by, 256 MB
PART_SPLITS = 32  # splits that are one piece of work
OWN_RUNS = 64  # runs whose scores are
LEAST_BITS = 13  # counts of up to 8,191 queries: four splits share a float64


def words(split: int, start: int, stop: int, seed: int) -> NDArray[np.uint64]:
    """The random words of the queries `start` to `stop` in a split."""
    bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(HALF_SPLITS, split)))
    bits.advance(start)
    return bits.random_raw(stop - start)


def halves(n: int, splits: int, seed: int) -> Iterator[Halves]:
    """The queries of both halves, ascending, of each split: the first half has the smaller random words."""
    for split in range(splits):
        order = np.argsort(words(split, 0, n, seed), kind="stable")
        yield np.sort(order[: n // 2]), np.sort(order[n // 2 :])


@dataclass(frozen=True)
class Splitting:
    """A number of queries, split with a seed."""

    queries: int
    seed: int


def edge_of(splitting: Splitting, split: int) -> NDArray[np.uint64]:
    """The word of the last query of the first half, and its place: (2,); two passes, in the memory of a stretch."""
    n, seed = splitting.queries, splitting.seed
    stretches = [(low, min(low + STRETCH, n)) for low in range(0, n, STRETCH)]
    counts = np.zeros(1 << 16, dtype=np.int64)
    for low, high in stretches:
        counts += np.bincount((words(split, low, high, seed) >> np.uint64(48)).astype(np.intp), minlength=1 << 16)
    upto = np.cumsum(counts)
    top = int(np.searchsorted(upto, n // 2))
    near, places = [], []
    for low, high in stretches:
        drawn = words(split, low, high, seed)
        candidates = np.flatnonzero(drawn >> np.uint64(48) == top)
        near.append(drawn[candidates])
        places.append(candidates + low)
    chosen = np.concatenate(near), np.concatenate(places)
    last = np.argsort(chosen[0], kind="stable")[n // 2 - 1 - int(upto[top] - counts[top])]
    return np.array([ordered[last] for ordered in chosen], dtype=np.uint64)


def edges_of(queries: int, splits: int, seed: int, spread: Spread) -> NDArray[np.uint64]:
    """The edges of all splits, splits x 2; see `edge_of`."""
    return np.stack(list(spread(edge_of, [Splitting(queries, seed)], range(splits))))


def in_first(edges: NDArray[np.uint64], splits: range, low: int, high: int, seed: int) -> NDArray[np.bool_]:
    """Whether each of the queries `low` to `high` is in the first half: splits x queries.

    edges  those of all splits, splits x 2; see `edge_of`
    """
    is_first = np.empty((len(splits), high - low), dtype=np.bool_)
    for row, split in enumerate(splits):
        drawn = words(split, low, high, seed)
        word, place = edges[split]
        np.less(drawn, word, out=is_first[row])
        same = np.flatnonzero(drawn == word)
        is_first[row, same] = same + low <= int(place)
    return is_first


def sums_of_halves(scores: NDArray[np.float64], first_halves: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The sums of all scores, and of the two in the middle, of both halves: (2, 2 halves, splits, runs).

    scores        whole numbers, whose sums are exact, runs x queries
    first_halves  splits x queries

    >>> sums_of_halves(np.array([[1.0, 5.0, 2.0, 9.0, 7.0]]), np.array([[True, True, False, False, False]])).tolist()
    [[[[6.0]], [[18.0]]], [[[6.0]], [[14.0]]]]
    """
    sums = np.empty((2, 2, len(first_halves), len(scores)))
    for split, first in enumerate(first_halves):
        for half, in_half in enumerate((first, ~first)):
            drawn = scores[:, np.flatnonzero(in_half)]
            middle = middle_places(drawn.shape[1])
            sums[0, half, split] = drawn.sum(axis=1)
            sums[1, half, split] = np.partition(drawn, middle, axis=1)[:, middle].sum(axis=1)
    return sums


def middle_places(size: int) -> list[int]:
    """The places of the two in the middle of n ordered values; the same place twice if n is odd."""
    return [(size - 1) // 2, size // 2]


@dataclass(frozen=True, eq=False)
class SplitBlock:
    """Neighbouring queries of a board.

    low     the first of them
    codes   their scores as places in the table, runs x queries
    edges   of the first halves, splits x 2; see `edge_of`
    """

    low: int
    codes: NDArray[np.unsignedinteger]
    table: ScoreTable
    edges: NDArray[np.uint64]
    seed: int


@dataclass(frozen=True)
class Wanted:
    """What is to be counted in some splits.

    pairs   of runs: by what the second is higher; or a run and None: which scores it has; not both kinds at once
    splits  from which split to which, the last left out
    """

    pairs: tuple[tuple[int, int | None], ...]
    splits: tuple[int, int]


def block_counts(block: SplitBlock, wanted: Wanted) -> NDArray[np.int32]:
    """How many queries of a block have each code, pairs x (splits + 1) x codes; behind the splits all queries."""
    table, size = block.table, block.codes.shape[1]
    splits, width = range(*wanted.splits), len(table.values) if wanted.pairs[0][1] is None else table.width
    counts = np.zeros((len(wanted.pairs), len(splits) + 1, width), dtype=np.int32)
    step = (1 << max(LEAST_BITS, (4 * width).bit_length())) - 1  # with fewer queries than codes unpacking takes longer
    for low in range(0, size, STRETCH):
        high = min(low + STRETCH, size)
        first = in_first(block.edges, splits, block.low + low, block.low + high, block.seed)
        for start in range(low, high, step):
            some = slice(start, min(start + step, high))
            packed = PackedSplits.of(first[:, start - low : some.stop - low])
            for place, (run, other) in enumerate(wanted.pairs):
                own = block.codes[run, some]
                codes = own.astype(np.intp) if other is None else table.pair(own, block.codes[other, some])
                counts[place, :-1] += packed.counts(codes, width)
                counts[place, -1] += np.bincount(codes, minlength=width)
    return counts


class BlockCounts:
    """Counts in the first halves of some splits, by blocks of queries; see `runoff.significance.HalfCounts`.

    values  scores, queries x runs
    table   theirs
    spread  what does the work on the blocks, such as a cluster
    """

    def __init__(
        self, values: NDArray[np.float64], table: ScoreTable, *, splits: int, seed: int, spread: Spread
    ) -> None:
        queries, self.runs = values.shape
        self.table = table
        self.sizes = queries // 2, queries - queries // 2
        self._values, self._seed, self._spread = values, seed, spread
        self._edges = edges_of(queries, splits, seed, spread)
        at_once = max(1, min(PART_SPLITS, BACK_CELLS // table.width))
        self._parts = [(low, min(low + at_once, splits)) for low in range(0, splits, at_once)]
        self._together = max(1, BACK_CELLS // (table.width * splits))
        own = [Wanted(some, (0, splits)) for some in _batched([(run, None) for run in range(self.runs)], OWN_RUNS)]
        pairs = _batched(list(combinations(range(self.runs), 2)), self._together)
        wanted = [Wanted(some, part) for some in pairs for part in self._parts]
        self._own = len(own)
        self._found = self._counted([*own, *wanted])  # in one go, so that blocks are sent once
        self._held: list[NDArray[np.int64]] = []
        self._done = 0

    def scores(self) -> NDArray[np.int64]:
        """How often each run has each value, runs x (splits + 1) x values, all queries behind the splits.

        Asked for once, before the pairs.
        """
        return np.concatenate(list(islice(self._found, self._own)))

    def pair(self, run: int, other: int) -> Counted:  # noqa: ARG002  # all come in their order
        """See `HalfCounts`: several pairs come at once, in parts of the splits."""
        place = self._done % self._together
        if place == 0:
            self._held = list(islice(self._found, len(self._parts)))
        self._done += 1
        for (low, high), held in zip(self._parts, self._held, strict=True):
            yield slice(low, high), held[place, :-1], held[place, -1]

    def differences(self, run: int, other: int, split: int, half: int) -> NDArray[np.float64]:
        """See `HalfCounts`; the halves of this one split are found again."""
        (in_half,) = in_first(self._edges, range(split, split + 1), 0, len(self._values), self._seed)
        in_half ^= bool(half)
        difference: NDArray[np.float64] = self._values[in_half, other] - self._values[in_half, run]
        return difference

    def _counted(self, requests: Sequence[Wanted]) -> Iterator[NDArray[np.int64]]:
        """The sums over all blocks, in the order asked."""
        queries, step = len(self._values), max(1, BLOCK_SCORES // self.runs)

        def block_of(low: int) -> SplitBlock:
            return SplitBlock(
                low, self.table.codes(self._values[low : low + step]), self.table, self._edges, self._seed
            )

        counts = summed(self._spread, block_counts, range(0, queries, step), block_of, requests, held=HELD_SUMS)
        return (block_count.astype(np.int64) for block_count in counts)


def _batched(pairs: Sequence[tuple[int, int | None]], size: int) -> list[tuple[tuple[int, int | None], ...]]:
    return [tuple(pairs[low : low + size]) for low in range(0, len(pairs), size)]


Kind = TypeVar("Kind")

TILE_SCORES = 1 << 23  # scores in a tile, 64 MB, if two runs have no more
TILE_RUNS = 4  # runs on each side of it: 16 pairs
LEAST_SPLITS = 16  # splits in a piece of work, since each sorts the scores again
PART_SCORES = 1 << 26  # queries x pairs x splits in it, if that allows more: some seconds


@dataclass(frozen=True, eq=False)
class Columns:
    """The scores of some runs, and how their queries are split.

    scores  runs x queries
    edges   of the first halves, splits x 2; see `edge_of`
    """

    scores: NDArray[np.float64]
    edges: NDArray[np.uint64]
    seed: int

    def first_halves(self, splits: tuple[int, int]) -> NDArray[np.bool_]:
        """Whether each query is in the first half of each of some splits: splits x queries."""
        return in_first(self.edges, range(*splits), 0, self.scores.shape[1], self.seed)


@dataclass(frozen=True, eq=False)
class Tile:
    """Some runs, and the pairs of them that are wanted, by their places among them."""

    columns: Columns
    pairs: tuple[tuple[int, int], ...]


def tile_sums(tile: Tile, splits: tuple[int, int]) -> NDArray[np.float64]:
    """The `half_sums` of the pairs of a tile in some splits: 7 x 2 halves x splits x pairs."""
    first, scores = tile.columns.first_halves(splits), tile.columns.scores
    return np.stack([half_sums(scores[run], scores[other], first) for run, other in tile.pairs], axis=-1)


def middle_sums(columns: Columns, splits: tuple[int, int]) -> NDArray[np.float64]:
    """The sums of all scores, and of the two in the middle, (2, 2 halves, splits, runs)."""
    return sums_of_halves(columns.scores, columns.first_halves(splits))


class HalfTiles:
    """The half-splits of the scores of a board, queries x runs; `spread` does the work, such as a cluster."""

    def __init__(self, values: NDArray[np.float64], *, splits: int, seed: int, spread: Spread) -> None:
        self._values, self._seed, self._spread, self._splits = values, seed, spread, splits
        self._edges = edges_of(len(values), splits, seed, spread)
        size = max(1, min(TILE_RUNS, TILE_SCORES // (2 * len(values))))
        parts = -(-splits // max(LEAST_SPLITS, PART_SCORES // (len(values) * size * size)))
        self._parts = list(pairwise(splits * part // parts for part in range(parts + 1)))
        runs = range(values.shape[1])
        self._groups = [runs[low : low + size] for low in runs[::size]]
        most = _spread.BLOCKS_AT_ONCE * TILE_SCORES // (2 * size * len(values))
        self._away = 1 if spread is here else max(1, min(_spread.BLOCKS_AT_ONCE, most))

    def middles(self) -> NDArray[np.float64]:
        """The `middle_sums` of all runs in all splits, of scores on a grid: sums of whole numbers are exact."""
        largest = max(float(np.abs(slab).max()) for slab in slabs(self._values))
        exponent = grid_exponent(largest, len(self._values))

        def on_grid(runs: Sequence[int]) -> Columns:
            columns = self._columns(runs)
            return Columns(to_grid(columns.scores, exponent), columns.edges, columns.seed)

        sums = np.empty((2, 2, self._splits, self._values.shape[1]))
        for some in self._batches(self._groups):
            done = self._spread(middle_sums, [on_grid(runs) for runs in some], self._parts)
            for (low, high), runs in product(self._parts, some):
                sums[:, :, low:high, runs.start : runs.stop] = next(done)
        return sums

    def pairs(self) -> Iterator[HalfPairsResult]:
        """All pairs in all splits, some of both at a time."""
        sizes = len(self._values) // 2, len(self._values) - len(self._values) // 2
        within = [list(combinations(group, 2)) for group in self._groups]
        between = [list(product(*groups)) for groups in combinations(self._groups, 2)]
        for some in self._batches([pairs for pairs in (*within, *between) if pairs]):
            done = self._spread(tile_sums, [self._tile(pairs) for pairs in some], self._parts)
            for part, pairs in product(self._parts, some):
                first, second = np.array(pairs, dtype=np.intp).T
                yield half_pairs_of_sums(next(done), first, second, sizes, slice(*part))

    def _tile(self, pairs: Sequence[tuple[int, int]]) -> Tile:
        runs = sorted({run for pair in pairs for run in pair})
        return Tile(self._columns(runs), tuple((runs.index(run), runs.index(other)) for run, other in pairs))

    def _columns(self, runs: Sequence[int]) -> Columns:
        return Columns(np.stack([self._values[:, run] for run in runs]), self._edges, self._seed)

    def _batches(self, every: Sequence[Kind]) -> Iterator[Sequence[Kind]]:
        """As many as may be away at once, then the next."""
        return (every[low : low + self._away] for low in range(0, len(every), self._away))
