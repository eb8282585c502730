"""The tests without resampling over all pairs of a board at once.

Each function equals `compare` of its test on every pair of columns to 1e-9, and shares nothing between pairs but work:
one Gram matrix (t), comparisons of whole columns (sign), products of histograms (rank_sum), and the distribution of
differences counted from small codes of the scores (signed_rank). docs/method/significance.md has the times.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.significance._base import check_matrix, in_units, whole_differences
from runoff.significance._intervals import mean_and_error
from runoff.significance.paired_t import PairedT, student_p, student_statistic
from runoff.significance.rank_sum import RankSum, u_p
from runoff.significance.sign import Sign, binomial_p
from runoff.significance.signed_rank import (
    MOST_EXACT,
    MOST_EXACT_TIED,
    RankSums,
    SignedRank,
    exact_p,
    normal_p,
    rank_sums,
)

MOST_DISTINCT = 512  # distinct scores; the table of their differences has this number squared of cells
MOST_SIZES = 4  # distinct sizes of differences per query; with more of them, sorting is as fast as counting

Sums = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


def pair_sums(matrix: NDArray[np.float64], codes: NDArray[np.unsignedinteger], distinct: NDArray[np.float64]) -> Sums:
    """W+, differences that are not 0, and sum of t^3 - t over ties; runs x runs each."""
    runs = matrix.shape[1]
    plus, m, ties = (np.zeros((runs, runs)) for _ in range(3))
    for i, j, first, left, term in _pairs(matrix, codes, distinct):
        plus[i, j], plus[j, i] = first, left * (left + 1) / 2 - first
        m[i, j] = m[j, i] = left
        ties[i, j] = ties[j, i] = term
    return plus, m, ties


def small_sample_pairs(matrix: NDArray[np.float64]) -> Sums:
    """W+, differences that are not 0, and p, for so few queries that p may be exact: all pairs of a run at once."""
    n, runs = matrix.shape
    sums, left, p = np.zeros((runs, runs)), np.zeros((runs, runs)), np.ones((runs, runs))
    columns = np.ascontiguousarray(matrix.T)
    for i in range(runs - 1):
        others = columns[i + 1 :]
        plus, m, ties = _row_sums(np.stack([whole_differences(columns[i], other) for other in others]))
        row = normal_p(plus, m, ties)
        plain = (m == n) & (ties == 0.0)
        for value in np.unique(plus[plain]):
            row[plain & (plus == value)] = exact_p(RankSums(float(value), n, np.ones(n, dtype=np.int64)))
        if n <= MOST_EXACT_TIED:
            for j in np.flatnonzero(~plain):
                row[j] = SignedRank().compare(columns[i], others[j]).p
        sums[i, i + 1 :], sums[i + 1 :, i] = plus, m * (m + 1.0) / 2 - plus
        left[i, i + 1 :] = left[i + 1 :, i] = m
        p[i, i + 1 :] = p[i + 1 :, i] = row
    return sums, left, p


def _row_sums(differences: NDArray[np.int64]) -> Sums:
    """W+, differences that are not 0, and sum of t^3 - t over ties, of every row."""
    n = differences.shape[1]
    sizes = np.abs(differences)
    order = np.argsort(sizes, axis=1)
    ordered, wins = np.take_along_axis(sizes, order, axis=1), np.take_along_axis(differences, order, axis=1) > 0
    is_new = np.ones((len(ordered), n + 1), dtype=np.bool_)
    is_new[:, 1:n] = ordered[:, 1:] != ordered[:, :-1]
    edges = np.arange(n + 1)
    begin = np.maximum.accumulate(np.where(is_new, edges, 0), axis=1)[:, :n]
    end = np.minimum.accumulate(np.where(is_new, edges, n)[:, ::-1], axis=1)[:, ::-1][:, 1:]
    zeros = np.count_nonzero(sizes == 0, axis=1)
    # A mean rank is (values below + values up to it + 1) / 2; the zeros come first and have no rank.
    doubled = np.where(wins, begin + end + 1 - 2 * zeros[:, None], 0).sum(axis=1)
    tied = np.where(ordered > 0, (end - begin).astype(np.float64), 1.0)
    return doubled / 2, (n - zeros).astype(np.float64), (tied * tied - 1.0).sum(axis=1)


def _pairs(
    matrix: NDArray[np.float64], codes: NDArray[np.unsignedinteger], distinct: NDArray[np.float64]
) -> Iterator[tuple[int, int, float, int, float]]:
    if len(distinct) <= MOST_DISTINCT:
        # In whole numbers: 1/2 - 1/3 and 1/3 - 1/6 are the same, and float64 does not know it.
        differences = in_units(distinct[None, :] - distinct[:, None], float(np.abs(distinct).max()))
        sizes, places = np.unique(np.abs(differences), return_inverse=True)
        if len(sizes) <= MOST_SIZES * len(matrix):
            places = places.reshape(differences.shape)
            # 0 is a tie, 1..s a win, s + 1..2 s a loss by the same sizes.
            table = np.where(differences >= 0, places, len(sizes) - 1 + places)
            return _counted(codes, table, len(sizes) - 1)
    return _sorted(np.ascontiguousarray(matrix.T))


def _counted(
    codes: NDArray[np.unsignedinteger], table: NDArray[np.intp], sizes: int
) -> Iterator[tuple[int, int, float, int, float]]:
    """By the histogram of the differences of each pair, looked up from the codes of both scores."""
    runs, n = codes.shape
    columns, cells = codes.astype(np.intp), table.ravel()
    for i in range(runs):
        rows = columns[i] * len(table)
        for j in range(i + 1, runs):
            counts = np.bincount(cells[rows + columns[j]], minlength=2 * sizes + 1)
            wins, tied = counts[1 : sizes + 1], counts[1 : sizes + 1] + counts[sizes + 1 :]
            # A mean rank is (values below + values up to it + 1) / 2; whole numbers until here.
            doubled = int(wins @ (2 * np.cumsum(tied) - tied + 1))
            yield i, j, doubled / 2, n - int(counts[0]), float(_cubes(tied))


def _cubes(tied: NDArray[np.intp]) -> float:
    counts = tied[tied > 1].astype(np.float64)
    return float((counts * (counts * counts - 1.0)).sum())


def _sorted(columns: NDArray[np.float64]) -> Iterator[tuple[int, int, float, int, float]]:
    """By sorting the differences of each pair."""
    for i in range(len(columns)):
        for j in range(i + 1, len(columns)):
            sums = rank_sums(whole_differences(columns[i], columns[j]))
            yield i, j, sums.plus, sums.m, sums.tie_term


CANCELLED = 1e-4  # share of the two columns' squares left in a difference; below it the Gram matrix lost 4 digits
BLOCK_VALUES = 4096  # distinct scores per product of histograms


@dataclass(frozen=True, eq=False, kw_only=True)
class AllPairsResult:
    """Statistics and p-values, runs x runs: [i, j] compares run i as the champion with run j as the challenger.

    favours  int8: 1 where the test favours higher scores of the challenger, -1 of the champion, 0 of neither
    """

    name: str
    statistic: NDArray[np.float64]
    p: NDArray[np.float64]
    n: int
    favours: NDArray[np.int8]


def t_all_pairs(values: ArrayLike) -> AllPairsResult:
    """The paired t test on all pairs of columns of a score matrix (queries x runs)."""
    matrix = check_matrix(values)
    n, runs = matrix.shape
    size = np.abs(matrix).max()
    scaled = np.ldexp(matrix, -int(np.frexp(size)[1]))  # t has no unit; squares neither overflow nor vanish
    means = scaled.mean(axis=0)
    centred = scaled - means
    gram = centred.T @ centred
    own = np.diag(gram)
    both = own[None, :] + own[:, None]
    squares = np.maximum(both - gram - gram.T, 0.0)
    mean = means[None, :] - means[:, None]
    error = np.sqrt(squares / (max(n - 1, 1) * n))
    for i, j in zip(*np.nonzero(np.triu(squares <= CANCELLED * both, 1)), strict=True):
        mean[i, j], error[i, j] = mean_and_error(scaled[:, j] - scaled[:, i])
        mean[j, i], error[j, i] = -mean[i, j], error[i, j]
    diagonal = np.arange(runs)
    mean[diagonal, diagonal] = error[diagonal, diagonal] = 0.0
    statistic = student_statistic(mean, error, n)
    return AllPairsResult(name=PairedT.name, statistic=statistic, p=student_p(statistic, n), n=n, favours=_side(mean))


def sign_all_pairs(values: ArrayLike) -> AllPairsResult:
    """The sign test on all pairs of columns of a score matrix (queries x runs)."""
    codes, distinct = code_scores(check_matrix(values))
    is_new = in_units(np.diff(distinct, prepend=distinct[:1]), float(np.abs(distinct).max())) > 0
    codes = np.cumsum(is_new).astype(codes.dtype)[codes]  # scores that differ by rounding noise are tied
    runs, n = codes.shape
    wins = np.zeros((runs, runs))
    for i in range(runs):
        wins[i] = np.count_nonzero(codes > codes[i], axis=1)
    return AllPairsResult(name=Sign.name, statistic=wins, p=binomial_p(wins, wins.T), n=n, favours=_side(wins - wins.T))


def rank_sum_all_pairs(values: ArrayLike) -> AllPairsResult:
    """The rank sum test on all pairs of columns of a score matrix (queries x runs)."""
    codes, distinct = code_scores(check_matrix(values))
    runs, n = codes.shape
    doubled = np.zeros((runs, runs))
    mixed = np.zeros((runs, runs))
    cubes = np.zeros(runs)
    below = np.zeros((runs, 1))
    ordered = np.sort(codes, axis=1)
    for first in range(0, len(distinct), BLOCK_VALUES):
        counts = _histograms(ordered, first, min(first + BLOCK_VALUES, len(distinct)))
        upto = below + np.cumsum(counts, axis=1)
        doubled += (2.0 * upto - counts) @ counts.T  # twice the champion's scores below plus those equal
        mixed += (counts * counts) @ counts.T
        cubes += (counts**3).sum(axis=1)
        below = upto[:, -1:]
    # t = a + b scores share a value: sum t^3 = sum a^3 + 3 a^2 b + 3 a b^2 + b^3, and sum t = 2 n.
    ties = cubes[None, :] + cubes[:, None] + 3.0 * (mixed + mixed.T) - 2.0 * n
    return AllPairsResult(
        name=RankSum.name, statistic=doubled / 2, p=u_p(doubled / 2, ties, n), n=n, favours=_side(doubled - n * n)
    )


def signed_rank_all_pairs(values: ArrayLike) -> AllPairsResult:
    """The signed rank test on all pairs of columns of a score matrix (queries x runs)."""
    matrix = check_matrix(values)
    n, _ = matrix.shape
    if n <= MOST_EXACT:
        plus, m, p = small_sample_pairs(matrix)
    else:
        plus, m, ties = pair_sums(matrix, *code_scores(matrix))
        p = normal_p(plus, m, ties)
    minus = m * (m + 1.0) / 2 - plus
    return AllPairsResult(
        name=SignedRank.name, statistic=np.minimum(plus, minus), p=p, n=n, favours=_side(plus - minus)
    )


def _side(lead: NDArray[np.float64]) -> NDArray[np.int8]:
    """1 where the challenger is ahead, -1 where the champion is, 0 where neither is."""
    return np.sign(lead).astype(np.int8)


def code_scores(matrix: NDArray[np.float64]) -> tuple[NDArray[np.unsignedinteger], NDArray[np.float64]]:
    """Scores as places in the list of their distinct values: codes (runs, queries) of the smallest type, values."""
    distinct = np.unique(matrix)
    codes = np.searchsorted(distinct, matrix.T).astype(np.min_scalar_type(len(distinct)))
    return codes, distinct


def _histograms(ordered: NDArray[np.unsignedinteger], first: int, last: int) -> NDArray[np.float64]:
    """How often each run has each of the codes first..last - 1, from sorted codes: runs x codes."""
    counts = np.zeros((len(ordered), last - first))
    for run, codes in enumerate(ordered):
        low, high = np.searchsorted(codes, np.array([first, last], dtype=np.int64))
        counts[run] = np.bincount(codes[low:high].astype(np.intp) - first, minlength=last - first)
    return counts
