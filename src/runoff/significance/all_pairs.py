"""The tests without resampling over all pairs of a board at once.

Each function equals `compare` of its test on every pair of columns to 1e-9, and shares nothing between pairs but work:
one Gram matrix (t), comparisons of whole columns (sign), products of histograms (rank_sum), and the distribution of
differences counted from small codes of the scores (signed_rank). docs/method/significance.md has the times.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.significance._input import check_matrix, in_units
from runoff.significance._intervals import mean_and_error
from runoff.significance._signed_rank_pairs import pair_sums, small_sample_pairs
from runoff.significance.paired_t import PairedT, student_p, student_statistic
from runoff.significance.rank_sum import RankSum, u_p
from runoff.significance.sign import Sign, binomial_p
from runoff.significance.signed_rank import MOST_EXACT, SignedRank, normal_p

CANCELLED = 1e-4  # share of the two columns' squares left in a difference; below it the Gram matrix lost 4 digits
BLOCK_VALUES = 4096  # distinct scores per product of histograms


@dataclass(frozen=True, eq=False, kw_only=True)
class AllPairsResult:
    """Statistics and p-values, runs x runs: [i, j] compares run i as the champion with run j as the challenger.

    favours  int8: 1 where the test speaks for higher scores of the challenger, -1 of the champion, 0 of neither
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
