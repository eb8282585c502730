"""The tests without resampling over all pairs of a board, on both halves of many splits of its queries at once.

Each p equals that of the tests in `all_pairs` on the half alone. What two runs differ by on each query is found once
for all splits; each split then only counts how often each difference falls into its first half, and the second half
has the rest. Where scores have few values all tests follow from such counts, and counts of blocks of queries add up;
where they have many, they are sorted pair by pair (`half_sums`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.errors import UsageError
from runoff.significance._base import check_matrix
from runoff.significance._intervals import mean_and_error
from runoff.significance.all_pairs import CANCELLED
from runoff.significance.paired_t import PairedT, student_p, student_statistic
from runoff.significance.rank_sum import RankSum, u_p
from runoff.significance.sign import Sign, binomial_p
from runoff.significance.signed_rank import MOST_EXACT, SignedRank, normal_p
from runoff.significance.split_sums import PackedSplits, ScoreTable, half_sums, score_table

BLOCK_CELLS: Final = 1 << 18  # counts held at once, 2 MB
LEAST_QUERIES: Final = MOST_EXACT + 1  # in each half; below it p of the signed rank test may be exact

Counted = Iterable[tuple[slice, NDArray[np.int64], NDArray[np.int64]]]
"""Some splits, how many queries of their first halves have each code, splits x codes, and how many have it in all."""
HalfOf = Callable[[int, int], NDArray[np.float64]]
"""What two runs differ by on the queries of one half, 0 or 1, of a split."""


@dataclass(frozen=True, eq=False, kw_only=True)
class HalfPairsResult:
    """The p-values of some pairs of runs in some splits, by test: 2 halves x splits x pairs.

    first, second  the places of the runs of each pair
    splits         which splits
    """

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    splits: slice
    p: dict[str, NDArray[np.float64]]


class HalfCounts(Protocol):
    """What is counted in the first halves of some splits of a board whose scores have few values."""

    @property
    def table(self) -> ScoreTable:
        """The values, and what two of them differ by."""
        ...

    @property
    def runs(self) -> int:
        """How many runs there are."""
        ...

    @property
    def sizes(self) -> tuple[int, int]:
        """How many queries each half has."""
        ...

    def pair(self, run: int, other: int) -> Counted:
        """How often two runs differ by what; asked for once per pair, a run with all behind it, then the next run."""
        ...

    def differences(self, run: int, other: int, split: int, half: int) -> NDArray[np.float64]:
        """What two runs differ by on the queries of one half, in their order."""
        ...


def half_pairs(values: ArrayLike, in_first: ArrayLike) -> Iterator[HalfPairsResult]:
    """The sign, rank sum, signed rank and t tests of all pairs of columns on both halves of each split, run by run.

    values    scores, queries x runs
    in_first  bool, splits x queries: whether a query is in the first half; each half needs 51 queries or more

    >>> values = np.random.default_rng(0).random((120, 3))
    >>> splits = np.random.default_rng(1).permuted(np.tile([True, False], (5, 60)), axis=1)
    >>> [(one.first.tolist(), one.second.tolist(), one.p["t"].shape) for one in half_pairs(values, splits)]
    [([0, 0], [1, 2], (2, 5, 2)), ([1], [2], (2, 5, 1))]
    """
    matrix = check_matrix(values)
    splits = _check_splits(in_first, len(matrix))
    table = score_table(matrix)
    if table is not None:
        counts = _WholeCounts(matrix, splits, table)
        yield from half_pairs_of_counts(counts, counts.scores())
        return
    columns, sizes = np.ascontiguousarray(matrix.T), _sizes(splits)
    for run in range(len(columns) - 1):
        others = np.arange(run + 1, len(columns))
        sums = np.stack([half_sums(columns[run], columns[other], splits) for other in others], axis=-1)
        yield half_pairs_of_sums(sums, np.full_like(others, run), others, sizes)


def half_pairs_of_sums(
    sums: NDArray[np.float64],
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    sizes: tuple[int, int],
    splits: slice = slice(None),
) -> HalfPairsResult:
    """The same for some pairs from their `half_sums`, 7 x 2 halves x splits x pairs, wherever these were made.

    sizes  how many queries each half has
    """
    rank_sum = np.stack([u_p(u, ties, n) for u, ties, n in zip(sums[5], sums[6], sizes, strict=True)])
    return HalfPairsResult(first=first, second=second, splits=splits, p=_p_values(sums[:5], rank_sum, sizes))


def half_pairs_of_counts(counts: HalfCounts, scores: NDArray[np.int64]) -> Iterator[HalfPairsResult]:
    """The same from counts, wherever they were counted: every p is the same to the last bit.

    scores  how often each run has each value: runs x (splits + 1) x values; behind the splits all queries
    """
    sizes = counts.sizes
    ranks = _rank_sums(scores[:, :-1].astype(np.float64), scores[:, -1].astype(np.float64), sizes)
    for run in range(counts.runs - 1):
        sums = [
            _pair(
                counts.pair(run, other),
                counts.table.sizes,
                scores.shape[1] - 1,
                sizes,
                partial(counts.differences, run, other),
            )
            for other in range(run + 1, counts.runs)
        ]
        others = np.arange(run + 1, counts.runs)
        yield HalfPairsResult(
            first=np.full_like(others, run),
            second=others,
            splits=slice(None),
            p=_p_values(np.stack(sums, axis=-1), next(ranks), sizes),
        )


def _p_values(
    sums: NDArray[np.float64], rank_sum: NDArray[np.float64], sizes: tuple[int, int]
) -> dict[str, NDArray[np.float64]]:
    """P by test, from what `_pair` gives of each pair."""
    wins, losses, plus, ties, t = sums
    return {
        Sign.name: binomial_p(wins, losses),
        RankSum.name: rank_sum,
        SignedRank.name: normal_p(plus, wins + losses, ties),
        PairedT.name: np.stack([student_p(statistic, n) for statistic, n in zip(t, sizes, strict=True)]),
    }


class _WholeCounts:
    """Counts over all queries at once; see `HalfCounts`."""

    def __init__(self, matrix: NDArray[np.float64], splits: NDArray[np.bool_], table: ScoreTable) -> None:
        self.table = table
        self.runs = matrix.shape[1]
        self.sizes = _sizes(splits)
        self._columns, self._splits = matrix.T, splits
        self._codes, self._packed = table.codes(matrix), PackedSplits.of(splits)

    def scores(self) -> NDArray[np.int64]:
        width = len(self.table.values)
        return np.stack(
            [
                np.concatenate([self._packed.counts(codes, width), np.bincount(codes, minlength=width)[None, :]])
                for codes in self._codes.astype(np.intp)
            ]
        )

    def pair(self, run: int, other: int) -> Counted:
        return _counted(self._packed, self.table.pair(self._codes[run], self._codes[other]), self.table.width)

    def differences(self, run: int, other: int, split: int, half: int) -> NDArray[np.float64]:
        in_half = self._splits[split] ^ bool(half)
        difference: NDArray[np.float64] = self._columns[other][in_half] - self._columns[run][in_half]
        return difference


def _counted(packed: PackedSplits, codes: NDArray[np.intp], width: int) -> Counted:
    whole = np.bincount(codes, minlength=width)
    for some, part in packed.parts(BLOCK_CELLS // width):
        yield some, part.counts(codes, width), whole


def _pair(
    counted: Counted, sizes: NDArray[np.float64], splits: int, queries: tuple[int, int], half_of: HalfOf
) -> NDArray[np.float64]:
    """Wins, losses, W+, sum of t^3 - t over ties, and t of one pair: 5 x 2 halves x splits."""
    sums = np.zeros((5, 2, splits))
    if not len(sizes):
        return sums
    scaled = np.ldexp(sizes, -int(np.frexp(sizes[-1])[1]))  # t has no unit; squares neither overflow nor vanish
    for some, first, whole in counted:
        for half, (counts, n) in enumerate(zip((first, whole - first), queries, strict=True)):
            exact = counts.astype(np.float64)
            sums[:, half, some] = _sums(exact[:, 1 : len(sizes) + 1], exact[:, len(sizes) + 1 :], scaled, n)
    for half, split in np.argwhere(np.isnan(sums[4])).tolist():
        mean, error = mean_and_error(half_of(split, half))
        sums[4, half, split] = student_statistic(mean, error, queries[half])
    return sums


def _sums(
    wins: NDArray[np.float64], losses: NDArray[np.float64], sizes: NDArray[np.float64], n: int
) -> NDArray[np.float64]:
    """The sums of one half, 5 x splits, from how often each size is won and lost by; t is NaN where digits are lost."""
    tied = wins + losses
    below = np.cumsum(tied, axis=1)
    # A mean rank is (values below + values up to it + 1) / 2; all sums but the last two are of whole numbers.
    doubled = 2.0 * _dot(wins, below) - _dot(wins, tied) + wins.sum(axis=1)
    ties = _dot(tied * tied, tied) - tied.sum(axis=1)
    # not by a BLAS, whose threads wait for each other while other programs keep the cores busy
    total, squares = np.einsum("sc,c->s", wins - losses, sizes), np.einsum("sc,c->s", tied, sizes * sizes)
    left = squares - total * total / n
    t = student_statistic(total / n, np.sqrt(np.maximum(left, 0.0) / ((n - 1) * n)), n)
    t[left <= CANCELLED * squares] = np.nan
    t[squares == 0.0] = 0.0
    return np.stack([wins.sum(axis=1), losses.sum(axis=1), doubled / 2, ties, t])


def _dot(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    product: NDArray[np.float64] = np.einsum("sc,sc->s", left, right)
    return product


def _rank_sums(
    first: NDArray[np.float64], whole: NDArray[np.float64], queries: tuple[int, int]
) -> Iterator[NDArray[np.float64]]:
    """P of the rank sum test, run by run, 2 halves x splits x runs behind it, from how often runs have each value.

    first  in the first halves, runs x splits x values; whole is over all queries, runs x values
    """
    sides = [(counts, np.cumsum(counts, axis=2), counts**2) for counts in (first, whole[:, None, :] - first)]
    cubes = [np.einsum("rsk,rsk->rs", squares, counts) for counts, _, squares in sides]
    for run in range(len(first) - 1):
        halves = []
        for (counts, upto, squares), cube, n in zip(sides, cubes, queries, strict=True):
            behind = counts[run + 1 :]
            # twice the first run's scores below plus those equal
            doubled = np.einsum("rsk,sk->sr", behind, 2.0 * upto[run] - counts[run])
            mixed = np.einsum("rsk,sk->sr", behind, squares[run]) + np.einsum(
                "rsk,sk->sr", squares[run + 1 :], counts[run]
            )
            # t = a + b scores share a value: sum t^3 = sum a^3 + 3 a^2 b + 3 a b^2 + b^3, and sum t = 2 n.
            ties = cube[run][:, None] + cube[run + 1 :].T + 3.0 * mixed - 2.0 * n
            halves.append(u_p(doubled / 2, ties, n))
        yield np.stack(halves)


def _sizes(splits: NDArray[np.bool_]) -> tuple[int, int]:
    """How many queries each half has."""
    first = int(splits[0].sum())
    return first, splits.shape[1] - first


def _check_splits(in_first: ArrayLike, queries: int) -> NDArray[np.bool_]:
    splits = np.asarray(in_first, dtype=np.bool_)
    if splits.ndim != 2 or splits.shape[1] != queries or not len(splits):
        raise UsageError(
            f"the splits have shape {splits.shape} and there are {queries:,} queries; expected splits x queries; "
            "say of every query whether it is in the first half"
        )
    sizes = np.unique(splits.sum(axis=1))
    if len(sizes) > 1 or min(int(sizes[0]), queries - int(sizes[0])) < LEAST_QUERIES:
        raise UsageError(
            f"first halves have {int(sizes[0]):,} to {int(sizes[-1]):,} of {queries:,} queries; expected as many in "
            f"each split, and {LEAST_QUERIES} or more in both halves; take `all_pairs` for fewer"
        )
    return splits
