"""The randomised Tukey HSD test: all pairs of a board at once, with the chance of any false alarm bounded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.significance._exact_sums import on_grid
from runoff.significance._input import check_matrix, check_sampling
from runoff.significance._sampling import TUKEY_HSD
from runoff.significance.corrections import Family

BLOCK_TRIALS = 256


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

        in each trial the scores of each query are dealt anew to the runs; q = largest minus smallest mean
        p(i, j) = (hits + 1) / (trials + 1), hits the trials with q >= |mean_i - mean_j|

    Each trial has its own random stream, so neither blocks nor threads change the result. Needs interval scores.

    Carterette 2012, Multiple testing in statistical analysis of systems-based information retrieval experiments,
    algorithm 1, https://doi.org/10.1145/2094072.2094076

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
    """In how many trials the range of means reaches each observed difference, runs x runs."""
    runs = matrix.shape[1]
    telling = matrix[matrix.min(axis=1) != matrix.max(axis=1)]  # dealing out equal scores changes nothing
    if not len(telling):
        return np.full((runs, runs), trials, dtype=np.int64)
    whole, _ = on_grid(telling, len(telling))
    totals = whole.sum(axis=0)
    # Two differences of two rounded sums are compared: allow for half a unit per query in each sum.
    needed = np.abs(totals[None, :] - totals[:, None]) - 2.0 * len(telling)
    hits = np.zeros((runs, runs), dtype=np.int64)
    for first in range(0, trials, block_trials):
        ranges = np.sort([_range(whole, seed, trial) for trial in range(first, min(first + block_trials, trials))])
        hits += len(ranges) - np.searchsorted(ranges, needed, "left")
    return hits


def _range(whole: NDArray[np.float64], seed: int, trial: int) -> float:
    """Largest minus smallest total of the runs after one dealing; whole numbers, so exact."""
    sequence = np.random.SeedSequence(seed, spawn_key=(TUKEY_HSD, trial))
    dealt = np.random.Generator(np.random.PCG64(sequence)).permuted(whole, axis=1)
    return float(np.ptp(dealt.sum(axis=0)))
