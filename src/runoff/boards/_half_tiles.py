"""Half-splits of a board whose scores have many values, by tiles: the pairs of a few runs with a few others.

Ranks need all queries of a half at once, so the work is cut by runs and by splits and not by queries. What comes back
of a pair and a split are the sums of its tests. Every pair is worked on by itself; so they are the same, bit for bit,
in tiles of any size, wherever they are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from runoff.boards import _spread
from runoff.boards._half_splits import edges_of, in_first, sums_of_halves
from runoff.boards._spread import Spread, here
from runoff.significance import HalfPairsResult, grid_exponent, half_pairs_of_sums, half_sums, to_grid
from runoff.tables.scores import slabs

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

        found = np.empty((2, 2, self._splits, self._values.shape[1]))
        for some in self._batches(self._groups):
            done = self._spread(middle_sums, [on_grid(runs) for runs in some], self._parts)
            for (low, high), runs in product(self._parts, some):
                found[:, :, low:high, runs.start : runs.stop] = next(done)
        return found

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
