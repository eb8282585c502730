"""The tests without resampling over all pairs of a board, on both halves of many splits of its queries at once.

Each p equals that of the tests in `all_pairs` on the half alone. What two runs differ by on each query is found once
for all splits; each split then only counts how often each difference falls into its first half, and the second half
has the rest. Counts are whole numbers of a few bits, so several splits share the 53 bits of one float64 and are counted
in one pass: 4 splits of 7,000 queries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.errors import UsageError
from runoff.significance._input import check_matrix
from runoff.significance._intervals import mean_and_error
from runoff.significance._signed_rank_pairs import MOST_DISTINCT, MOST_SIZES
from runoff.significance.all_pairs import CANCELLED, code_scores, rank_sum_all_pairs
from runoff.significance.paired_t import PairedT, student_p, student_statistic
from runoff.significance.rank_sum import RankSum, u_p
from runoff.significance.sign import Sign, binomial_p
from runoff.significance.signed_rank import MOST_EXACT, SignedRank, normal_p

EXACT_BITS: Final = 53  # whole numbers below 2^53 are exact in float64
BLOCK_CELLS: Final = 1 << 18  # counts held at once, 2 MB
LEAST_QUERIES: Final = MOST_EXACT + 1  # in each half; below it p of the signed rank test may be exact


@dataclass(frozen=True, eq=False, kw_only=True)
class HalfPairsResult:
    """The p-values of one run against all behind it in the matrix, by test: 2 halves x splits x runs behind it."""

    run: int
    p: dict[str, NDArray[np.float64]]


def half_pairs(values: ArrayLike, in_first: ArrayLike) -> Iterator[HalfPairsResult]:
    """The sign, rank sum, signed rank and t tests of all pairs of columns on both halves of each split, run by run.

    values    scores, queries x runs
    in_first  bool, splits x queries: whether a query is in the first half; each half needs 51 queries or more

    >>> values = np.random.default_rng(0).random((120, 3))
    >>> splits = np.random.default_rng(1).permuted(np.tile([True, False], (5, 60)), axis=1)
    >>> [(one.run, one.p["t"].shape) for one in half_pairs(values, splits)]
    [(0, (2, 5, 2)), (1, (2, 5, 1))]
    """
    matrix = check_matrix(values)
    halves = _Halves.of(_check_splits(in_first, len(matrix)))
    differ = _Differences.of(matrix)
    ranks = _rank_sums(matrix, halves, differ)
    for run in range(matrix.shape[1] - 1):
        sums = [_pair(halves, *differ.pair(run, other)) for other in range(run + 1, matrix.shape[1])]
        wins, losses, plus, ties, t = np.stack(sums, axis=-1)
        yield HalfPairsResult(
            run=run,
            p={
                Sign.name: binomial_p(wins, losses),
                RankSum.name: next(ranks),
                SignedRank.name: normal_p(plus, wins + losses, ties),
                PairedT.name: np.stack([student_p(one, n) for one, n in zip(t, halves.sizes, strict=True)]),
            },
        )


@dataclass(frozen=True, eq=False)
class _Halves:
    """The splits.

    in_first  bool, splits x queries
    packed    float64, packs x queries: the 0 and 1 of `fields` splits, each in `bits` bits of its own
    """

    in_first: NDArray[np.bool_]
    packed: NDArray[np.float64]
    bits: int
    fields: int

    @classmethod
    def of(cls, in_first: NDArray[np.bool_]) -> _Halves:
        bits = int(in_first[0].sum()).bit_length()
        fields = EXACT_BITS // bits
        packs = -(-len(in_first) // fields)
        filled = np.zeros((packs * fields, in_first.shape[1]))
        filled[: len(in_first)] = in_first
        places = np.ldexp(1.0, bits * np.arange(fields))
        packed = (filled.reshape(packs, fields, -1) * places[:, None]).sum(axis=1)
        return cls(in_first, packed, bits, fields)

    @property
    def sizes(self) -> tuple[int, int]:
        """How many queries each half has."""
        first = int(self.in_first[0].sum())
        return first, self.in_first.shape[1] - first

    def counts(self, codes: NDArray[np.intp], width: int) -> NDArray[np.float64]:
        """How many queries of the first half have each code below `width`: splits x codes."""
        held = np.stack([np.bincount(codes, pack, minlength=width) for pack in self.packed]).astype(np.int64)
        mask = (1 << self.bits) - 1
        split = np.stack([(held >> self.bits * field) & mask for field in range(self.fields)], axis=1)
        return split.reshape(-1, width)[: len(self.in_first)].astype(np.float64)


@dataclass(frozen=True, eq=False)
class _Differences:
    """What two runs differ by on each query, as codes: 0 is a tie, 1..s a win by the s sizes, s + 1..2 s a loss.

    The sizes are compared as floats, like scipy does: 1/2 - 1/3 and 1/3 - 1/6 tie only if float64 says so. Where scores
    have few distinct values the codes are looked up in a table, else the differences of each pair are sorted.
    """

    columns: NDArray[np.float64]
    codes: NDArray[np.intp] | None
    distinct: int
    table: NDArray[np.intp]
    sizes: NDArray[np.float64]

    @classmethod
    def of(cls, matrix: NDArray[np.float64]) -> _Differences:
        columns = np.ascontiguousarray(matrix.T)
        codes, distinct = code_scores(matrix)
        if len(distinct) <= MOST_DISTINCT:
            differences = distinct[None, :] - distinct[:, None]
            coded, sizes = _coded(differences.ravel())
            if len(sizes) <= MOST_SIZES * len(matrix):
                return cls(columns, codes.astype(np.intp), len(distinct), coded, sizes)
        return cls(columns, None, len(distinct), np.zeros(0, dtype=np.intp), np.zeros(0))

    def pair(self, run: int, other: int) -> tuple[NDArray[np.float64], NDArray[np.intp], NDArray[np.float64]]:
        """The differences (n,) of two runs, their codes, and the sizes without 0."""
        differences = self.columns[other] - self.columns[run]
        if self.codes is None:
            return differences, *_coded(differences)
        return differences, self.table[self.codes[run] * self.distinct + self.codes[other]], self.sizes


def _coded(differences: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    sizes, places = np.unique(np.append(np.abs(differences), 0.0), return_inverse=True)  # with 0, which comes first
    places = places[:-1]
    return np.where(differences >= 0.0, places, len(sizes) - 1 + places), sizes[1:]


def _pair(
    halves: _Halves, differences: NDArray[np.float64], codes: NDArray[np.intp], sizes: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Wins, losses, W+, sum of t^3 - t over ties, and t of one pair: 5 x 2 halves x splits."""
    width, splits = 2 * len(sizes) + 1, len(halves.in_first)
    found = np.zeros((5, 2, splits))
    if not len(sizes):
        return found
    scaled = np.ldexp(sizes, -int(np.frexp(sizes[-1])[1]))  # t has no unit; squares neither overflow nor vanish
    whole = np.bincount(codes, minlength=width).astype(np.float64)
    packs = max(1, BLOCK_CELLS // (width * halves.fields))
    for low in range(0, len(halves.packed), packs):
        some = slice(low * halves.fields, min((low + packs) * halves.fields, splits))
        part = _Halves(halves.in_first[some], halves.packed[low : low + packs], halves.bits, halves.fields)
        first = part.counts(codes, width)
        for half, (counts, n) in enumerate(zip((first, whole - first), halves.sizes, strict=True)):
            found[:, half, some] = _sums(counts[:, 1 : len(sizes) + 1], counts[:, len(sizes) + 1 :], scaled, n)
    for half, split in np.argwhere(np.isnan(found[4])).tolist():
        mean, error = mean_and_error(differences[halves.in_first[split] ^ bool(half)])
        found[4, half, split] = student_statistic(mean, error, halves.sizes[half])
    return found


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


def _dot(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    product: NDArray[np.float64] = np.einsum("sc,sc->s", one, other)
    return product


def _rank_sums(matrix: NDArray[np.float64], halves: _Halves, differ: _Differences) -> Iterator[NDArray[np.float64]]:
    """P of the rank sum test, run by run: 2 halves x splits x runs behind it."""
    runs = matrix.shape[1]
    if differ.codes is None:
        each = [[rank_sum_all_pairs(matrix[kept]).p for kept in halves.in_first ^ bool(half)] for half in range(2)]
        for run in range(runs - 1):
            yield np.array([[p[run, run + 1 :] for p in half] for half in each])
        return
    first = np.stack([halves.counts(codes, differ.distinct) for codes in differ.codes])
    whole = np.stack([np.bincount(codes, minlength=differ.distinct) for codes in differ.codes])
    sides = [(counts, np.cumsum(counts, axis=2), counts**2) for counts in (first, whole[:, None, :] - first)]
    cubes = [np.einsum("rsk,rsk->rs", squares, counts) for counts, _, squares in sides]
    for run in range(runs - 1):
        found = []
        for (counts, upto, squares), cube, n in zip(sides, cubes, halves.sizes, strict=True):
            behind = counts[run + 1 :]
            # twice the first run's scores below plus those equal
            doubled = np.einsum("rsk,sk->sr", behind, 2.0 * upto[run] - counts[run])
            mixed = np.einsum("rsk,sk->sr", behind, squares[run]) + np.einsum(
                "rsk,sk->sr", squares[run + 1 :], counts[run]
            )
            # t = a + b scores share a value: sum t^3 = sum a^3 + 3 a^2 b + 3 a b^2 + b^3, and sum t = 2 n.
            ties = cube[run][:, None] + cube[run + 1 :].T + 3.0 * mixed - 2.0 * n
            found.append(u_p(doubled / 2, ties, n))
        yield np.stack(found)


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
