"""The randomised Tukey HSD test, studentised: all pairs of a board at once, any false alarm in 5% of boards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.significance._base import check_matrix, check_sampling
from runoff.significance._resampling import TUKEY_HSD, on_grid
from runoff.significance.corrections import Family

BLOCK_TRIALS = 256
CANCELLED = 1e-4  # share of two columns' squares left in their difference; below it the Gram matrix lost 4 digits
GRAM_ROWS = 64  # queries per product: BLAS gives these no threads, which are 20 times as slow on busy processors
TIED = 1e-7  # statistics within this share of each other are tied: more than rounding moves them


@dataclass(frozen=True, eq=False, kw_only=True)
class TukeyHsdResult:
    """Mean differences and p-values of all pairs: [i, j] says how run j compares with run i.

    effect  mean of run j minus mean of run i, runs x runs; p likewise, already over the whole family
    """

    effect: NDArray[np.float64]
    p: NDArray[np.float64]
    n: int
    trials: int
    seed: int
    family: Family


def tukey_hsd(values: ArrayLike, *, seed: int = 0, trials: int = 1000) -> TukeyHsdResult:
    """Compare all runs of a score matrix (queries x runs), queries being blocks.

        t(i, j) = mean difference of runs i and j / its standard error
        in each trial the scores of each query are dealt again to the runs; m = the largest |t| of all pairs
        p(i, j) = (hits + 1) / (trials + 1), hits the trials with m >= |t(i, j)|

    Every difference is divided by its own standard error; without that, pairs whose differences vary much raise
    false alarms too often (docs/method/significance.md). Runs with equal means have t = 0, so p = 1, also where their
    differences have no variance. A difference that is the same for all queries, and not 0, has an infinite t, also in
    a trial: its p counts the trials that deal out such a difference too. Each trial has its own random stream, so
    neither blocks nor threads change the result. Needs interval scores.

    Carterette 2012, Multiple testing in statistical analysis of systems-based information retrieval experiments,
    algorithm 1, https://doi.org/10.1145/2094072.2094076; for the largest t: Westfall & Young 1993, Resampling-based
    multiple testing, section 2.6, ISBN 978-0-471-55761-6

    >>> result = tukey_hsd([[0.1, 0.1, 0.9], [0.2, 0.3, 0.8], [0.1, 0.0, 0.7], [0.3, 0.3, 1.0]], trials=999)
    >>> result.p[0].round(3).tolist(), str(result.family)
    ([1.0, 1.0, 0.034], 'all pairs of 3 runs (3 p-values)')
    """
    check_sampling(seed, trials)
    matrix = check_matrix(values)
    n, runs = matrix.shape
    means = matrix.mean(axis=0)
    hits = _hits(matrix, seed, trials, BLOCK_TRIALS)
    pairs = runs * (runs - 1) // 2
    return TukeyHsdResult(
        effect=means[None, :] - means[:, None],
        p=(hits + 1) / (trials + 1),
        n=n,
        trials=trials,
        seed=seed,
        family=Family(f"all pairs of {runs} runs", max(pairs, 1)),
    )


def _hits(matrix: NDArray[np.float64], seed: int, trials: int, block_trials: int) -> NDArray[np.int64]:
    """In how many trials the largest t reaches that of each pair, runs x runs.

    With T the sum of the n differences and S the sum of their squares, t^2 = (n - 1) q / (n - q) for q = T^2 / S, which
    is at most n. So comparing q is comparing |t|, infinite ones included, and no variance has to be divided by.
    """
    runs = matrix.shape[1]
    telling = matrix[matrix.min(axis=1) != matrix.max(axis=1)]  # dealing out equal scores changes nothing
    if not len(telling):
        return np.full((runs, runs), trials, dtype=np.int64)
    whole, _ = on_grid(telling, len(telling))
    whole -= np.rint(whole.mean(axis=1, keepdims=True))  # so that little is lost in a Gram matrix
    # A difference of two rounded sums may be off by a unit per query: so much is 0 in a trial. Two such differences are
    # compared, so twice as much is taken off the observed one in addition.
    needed = _ratios(whole, slack=3.0 * len(whole)) * (1.0 - TIED)
    hits = np.zeros((runs, runs), dtype=np.int64)
    for first in range(0, trials, block_trials):
        largest = np.sort([_largest(whole, seed, trial) for trial in range(first, min(first + block_trials, trials))])
        hits += len(largest) - np.searchsorted(largest, needed, "left")
    return hits


def _largest(whole: NDArray[np.float64], seed: int, trial: int) -> float:
    """The largest T^2 / S of all pairs of runs after one dealing."""
    sequence = np.random.SeedSequence(seed, spawn_key=(TUKEY_HSD, trial))
    dealt = np.random.Generator(np.random.PCG64(sequence)).permuted(whole, axis=1)
    return float(_ratios(dealt, slack=1.0 * len(dealt)).max())


def _ratios(whole: NDArray[np.float64], *, slack: float) -> NDArray[np.float64]:
    """T^2 / S of all pairs of columns, runs x runs, with |T| less the slack; 0 where T is 0.

    The sums are exact. The squares are from one Gram matrix, or direct where two columns are nearly the same.
    """
    totals = whole.sum(axis=0)
    far = np.maximum(np.abs(totals[None, :] - totals[:, None]) - slack, 0.0)
    gram = np.zeros(far.shape)
    for first_row in range(0, len(whole), GRAM_ROWS):
        rows = whole[first_row : first_row + GRAM_ROWS]
        gram += rows.T.copy() @ rows
    own = np.diag(gram)
    both = own[None, :] + own[:, None]
    squares = both - 2.0 * gram
    np.fill_diagonal(squares, np.inf)
    first, second = np.nonzero(squares <= CANCELLED * both)
    if len(first):
        differences = whole[:, first] - whole[:, second]
        squares[first, second] = np.einsum("ij,ij->j", differences, differences)
    ratios: NDArray[np.float64] = np.divide(far * far, squares, out=np.zeros_like(far), where=squares > 0.0)
    return ratios
