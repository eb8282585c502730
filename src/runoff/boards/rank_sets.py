"""Rank sets: which runs are above which, for all pairs at once, and the ranks that each run could have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.boards._covariance import ROUNDING, column_means, pair_variances
from runoff.errors import UsageError
from runoff.significance import check_sampling, grid_exponent, to_grid
from runoff.tables.read_only import ReadOnlyArrays
from runoff.tables.scores import Scores, slabs

FLIPS: Final = 10_000
PURPOSE: Final = 7
"""Which random stream of a seed is used here; significance, boards and simulation have 0 to 6."""
WORD: Final = 64  # queries whose signs come from one random word
SLAB_WORDS: Final = 64  # random words of one trial held at once
BLOCK_TRIALS: Final = 1024
PAIR_CELLS: Final = 1 << 21  # trials x pairs held at once, 16 MB


@dataclass(frozen=True, eq=False, kw_only=True)
class RankSetsResult(ReadOnlyArrays):
    """Every ordered pair of runs, decided at once; arrays are in the order of `runs`, [i, j] is run j against run i.

    alpha        the chance of any false decision, at most
    statistic    float64, runs x runs: the mean of j minus that of i, over its standard error; above 0 where j is better
    p            float64, runs x runs: the corrected p of "j is above i"; 1 where j is not better
    is_constant  bool, runs x runs: j differs from i by the same on every query, so nothing is claimed
    critical     what a statistic must exceed to be decided in the first step
    """

    measure: str
    runs: tuple[str, ...]
    queries: int
    alpha: float
    trials: int
    seed: int
    statistic: NDArray[np.float64]
    p: NDArray[np.float64]
    is_constant: NDArray[np.bool_]
    critical: float

    @cached_property
    def above(self) -> NDArray[np.bool_]:
        """Runs x runs: run j is above run i."""
        mask: NDArray[np.bool_] = self.p <= self.alpha
        return mask

    @cached_property
    def rank_sets(self) -> NDArray[np.int64]:
        """Runs x 2, first and last: the ranks that each run could have; right for all runs at once."""
        first = 1 + np.count_nonzero(self.above, axis=1)
        return np.column_stack([first, len(self.runs) - np.count_nonzero(self.above, axis=0)])

    @property
    def could_be_best(self) -> NDArray[np.bool_]:
        """Per run, whether its rank set contains 1: no run is above it."""
        mask: NDArray[np.bool_] = self.rank_sets[:, 0] == 1
        return mask

    def groups(self, order: Sequence[int]) -> NDArray[np.int64]:
        """The number of each run's group, from 1 at the top.

        The first group is the first run of the order and all that it is not above; of the others, the first and all
        that it is not above are the second group, and so on. Only the first of a group is compared, so a chain of small
        steps cannot link the top to the bottom.
        """
        groups = np.zeros(len(order), dtype=np.int64)
        number, left = 1, np.asarray(order)
        while len(left):
            is_below = self.above[left, left[0]]
            groups[left[~is_below]] = number
            number, left = number + 1, left[is_below]
        return groups


def rank_sets(
    scores: Scores, *, alpha: float = 0.05, trials: int = FLIPS, seed: int = 0, best_is_low: bool = False
) -> RankSetsResult:
    """Decide for all pairs of runs at once which is above the other.

        T(i, j) = (mean_j - mean_i) / sqrt(q / (n - 1)),  q the variance (divisor n) of the difference over n queries
        null: the signs of whole queries of the centred scores are flipped; m the mean flipped difference,
              T* = m / sqrt((q - m^2) / (n - 1))
        step down: p of the largest T is the share of trials in which the largest T* of all pairs reaches it; then
        without that pair; p never falls

    Any of the decisions is wrong with probability alpha at most, so everything that follows from them is right at once:
    the ranks of each run, the set that holds the best, groups, verdicts against the first. That takes differences that
    are about symmetric under the null; skewed scores on some 50 queries can exceed alpha (`runoff calibrate`).
    Two runs that differ by the same on every query leave nothing to test, and nothing is claimed of them. Queries on
    which a run has no score, as with ESL, are left out.

    Romano & Wolf 2005, Exact and approximate stepdown methods for multiple hypothesis testing,
    https://doi.org/10.1198/016214504000000539; Mogstad, Romano, Shaikh & Wilhelm 2024, Inference for ranks with
    applications to mobility across neighbourhoods and academic achievement across countries,
    https://doi.org/10.1093/restud/rdad006

    alpha   the chance of any false decision
    trials  random flips of signs

    >>> values = np.array([[1, 0.5, 0], [0.5, 1, 0], [1, 0.5, 0.2], [0.5, 0.5, 0.1], [1, 0.9, 0], [0.4, 1, 0.1],
    ...                    [0.8, 0.6, 0], [0.6, 0.9, 0.2]])
    >>> scores = Scores(measure="AP", query_ids=tuple("abcdefgh"), runs=("oak", "ash", "fir"), values=values)
    >>> result = rank_sets(scores)
    >>> result.rank_sets.tolist(), result.could_be_best.tolist(), result.groups([1, 0, 2]).tolist()
    ([[1, 2], [1, 2], [3, 3]], [True, True, False], [1, 1, 2])
    """
    check_sampling(seed, trials)
    if not 0.0 < alpha < 1.0:
        raise UsageError(f"alpha={alpha} cannot be used; expected a number between 0 and 1; write 0.05")
    values = _defined(scores.values)
    n, runs = len(values), len(scores.runs)
    statistic, variances, leads = _statistics(values, best_is_low=best_is_low) if n else np.zeros((3, runs, runs))
    moves = variances > 0.0
    worse, better = np.nonzero((statistic > 0.0) | (np.triu(moves, 1) & (statistic == 0.0)))
    p, critical = np.ones((runs, runs)), 0.0
    if len(worse):
        order = np.argsort(statistic[worse, better], kind="stable")
        worse, better = worse[order], better[order]
        flipped = _flipped_means(values, trials=trials, seed=seed) * (-1.0 if best_is_low else 1.0)
        hits, largest = _hits(flipped, worse, better, statistic[worse, better], variances[worse, better], n)
        critical = float(np.sort(largest)[min(int(np.ceil((1.0 - alpha) * (trials + 1))), trials) - 1])
        p[worse, better] = np.maximum.accumulate((hits[::-1] + 1) / (trials + 1))[::-1]
    p[statistic <= 0.0] = 1.0
    return RankSetsResult(
        measure=scores.measure,
        runs=scores.runs,
        queries=n,
        alpha=float(alpha),
        trials=trials,
        seed=seed,
        statistic=statistic,
        p=p,
        is_constant=~moves & (leads != 0.0),
        critical=critical,
    )


def _statistics(
    values: NDArray[np.float64], *, best_is_low: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """T of each two runs, the variance of their difference, and the lead of run j over run i."""
    means = -column_means(values) if best_is_low else column_means(values)
    leads = means[None, :] - means[:, None]
    variances = pair_variances(values)
    # Means that are equal up to rounding are equal.
    leads[np.abs(leads) <= ROUNDING * max(1.0, float(np.abs(means).max()))] = 0.0
    moves = variances > 0.0
    errors = np.sqrt(np.where(moves, variances, 1.0) / max(len(values) - 1, 1))
    return np.where(moves, leads / errors, 0.0), variances, leads


def _defined(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores of the queries on which all runs have one: those that pairs can be compared on."""
    undefined = np.concatenate([np.isnan(slab).any(axis=1) for slab in slabs(values)])
    return values[~undefined] if undefined.any() else values


def _flipped_means(values: NDArray[np.float64], *, trials: int, seed: int) -> NDArray[np.float64]:
    """The means of the centred columns after the signs of queries are flipped, trials x runs.

    Sums are of whole numbers of a small unit, so they are exact, and do not depend on blocks, threads or machines.
    """
    n, runs = values.shape
    means = column_means(values)
    largest = max(float(np.abs(slab - means).max()) for slab in slabs(values))
    if largest == 0.0:
        return np.zeros((trials, runs))
    exponent = grid_exponent(largest, n)
    sums = np.zeros((trials, runs))
    generator = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(PURPOSE,)))
    rows = SLAB_WORDS * WORD
    for low in range(0, n, rows):
        whole = to_grid(values[low : low + rows] - means, exponent)
        words = generator.random_raw(-(-len(whole) // WORD) * trials).reshape(-1, trials)
        total = whole.sum(axis=0)
        for first in range(0, trials, BLOCK_TRIALS):
            # Fair bits, trials x queries, from random words, words of a trial x trials.
            octets = np.ascontiguousarray(words[:, first : first + BLOCK_TRIALS].T).astype("<u8", copy=False)
            bits = np.unpackbits(octets.view(np.uint8), axis=1, count=len(whole), bitorder="little")
            signs = bits.astype(np.float64)
            sums[first : first + BLOCK_TRIALS] += total - 2.0 * (signs @ whole)
    flipped: NDArray[np.float64] = np.ldexp(sums, -exponent) / n
    return flipped


def _hits(
    flipped: NDArray[np.float64],
    worse: NDArray[np.intp],
    better: NDArray[np.intp],
    statistic: NDArray[np.float64],
    variances: NDArray[np.float64],
    n: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Per pair, in how many trials the largest T* of this pair, those below it and all reversed ones reaches its T.

    Also the largest T* of all pairs in each trial.

    statistic  T of each pair, ascending: the pairs behind it are those that are rejected before it
    """
    hits, tops = np.zeros(len(statistic), dtype=np.int64), []
    size = max(1, PAIR_CELLS // len(statistic))
    for low in range(0, len(flipped), size):
        some = flipped[low : low + size]
        moved = some[:, better] - some[:, worse]
        left = (variances - moved * moved) / (n - 1)
        # All differences with the same sign, up to rounding: as far from 0 as can be.
        with np.errstate(divide="ignore", invalid="ignore"):
            studentised = np.where(
                left > ROUNDING * variances / (n - 1),
                moved / np.sqrt(left),
                np.where(moved == 0.0, 0.0, moved * np.inf),
            )
        reversed_ = -studentised.min(axis=1, keepdims=True)  # "the worse run is above": never rejected
        largest = np.maximum(np.maximum.accumulate(studentised, axis=1), reversed_)
        hits += np.count_nonzero(largest >= statistic, axis=0)
        tops.append(largest[:, -1])
    return hits, np.concatenate(tops)
