"""The shifted paired bootstrap test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from runoff.measures import Scale
from runoff.significance._base import Paired, SignificanceResult, SignificanceTest
from runoff.significance._intervals import LEVEL, mean_and_error
from runoff.significance._resampling import BLOCK_CELLS, blocks, draws, on_grid
from runoff.tables.memory import keep_freed_memory

HITS_SHARE: Final = round(1.0 / (1.0 - LEVEL))  # one in 20 deviations is beyond the interval


@dataclass(frozen=True)
class Bootstrap(SignificanceTest):
    """Asks how often the means would differ as much if the queries were drawn from a population where they do not.

        p = (hits + 1) / (trials + 1), hits the samples d* of n queries with |mean(d*) - mean(d)| >= |mean(d)|
        95% interval = mean(d) +- h, h the k-th largest |mean(d*) - mean(d)|, k = trials / 20 rounded down

    The statistic and the effect are the mean difference. One set of samples serves both: 0 is outside of the interval
    exactly when fewer than k deviations reach |mean(d)|, which is when p < 0.05. With 10,000 trials h is the 500th
    largest deviation; with fewer than 20 trials no p is below 0.05, and the interval is the whole line. The differences
    are put on a grid of whole numbers, so that sums are exact, and a deviation that is |mean(d)| up to rounding counts
    as a hit; 0 is then an end of the interval.

    Efron & Tibshirani 1993, An introduction to the bootstrap, ch. 16, https://doi.org/10.1201/9780429246593; for
    retrieval: Sakai 2006, Evaluating evaluation metrics based on the bootstrap, https://doi.org/10.1145/1148170.1148261

    >>> result = Bootstrap().compare([0.2, 0.5, 0.1, 0.4], [0.5, 0.6, 0.5, 0.6], trials=999)
    >>> result.p, round(result.effect, 4), result.seed
    (0.001, 0.25, 0)
    """

    name: ClassVar[str] = "bootstrap"
    label: ClassVar[str] = "bootstrap"
    description: ClassVar[str] = (
        "Asks how often the means would differ as much if the queries were drawn from a population where they do not."
    )
    source: ClassVar[str] = (
        "Sakai 2006, Evaluating evaluation metrics based on the bootstrap, https://doi.org/10.1145/1148170.1148261"
    )
    needs: ClassVar[Scale] = "interval"
    needs_reason: ClassVar[str] = "it takes means of differences"
    effect_name: ClassVar[str] = "mean difference"

    def _compare(self, paired: Paired) -> SignificanceResult:
        n, trials = paired.n, paired.trials
        mean, _ = mean_and_error(paired.differences)
        p, interval = 1.0, (-math.inf, math.inf)
        if not paired.differences.any():
            interval = (0.0, 0.0)
        elif n > 1:
            whole, exponent = on_grid(paired.differences, n)
            observed = float(whole.sum())
            deviations = np.abs(bootstrap_sums(whole, trials=trials, seed=paired.seed) - observed)
            # Three rounded sums are compared here: allow for half a unit per query in each.
            tied = np.abs(deviations - abs(observed)) <= 1.5 * n
            beyond = np.where(tied, 0.0, deviations - abs(observed))
            p = (int((beyond >= 0.0).sum()) + 1) / (trials + 1)
            interval = symmetric_interval(mean, np.ldexp(beyond, -exponent) / n)
        return SignificanceResult(
            name=self.name,
            statistic=mean,
            p=p,
            effect=mean,
            effect_name=self.effect_name,
            effect_ci95=interval,
            n=n,
            n_used=n,
            method="sampled",
            trials=trials,
            seed=paired.seed,
        )


def bootstrap_sums(
    whole: NDArray[np.float64], *, trials: int, seed: int, block_cells: int = BLOCK_CELLS
) -> NDArray[np.float64]:
    """Sums (trials,) of n draws with replacement from n whole numbers."""
    sums = np.empty(trials)
    keep_freed_memory()
    for first, count in blocks(trials, len(whole), block_cells):
        sums[first : first + count] = whole[draws(seed, first, count, len(whole))].sum(axis=1)
    return sums


def symmetric_interval(mean: float, beyond: NDArray[np.float64]) -> tuple[float, float]:
    """The 95% interval mean +- h, from by how much each deviation (trials,) is larger than |mean|.

    h - |mean| is the k-th largest of these, k = trials / 20 rounded down: (hits + 1) / (trials + 1) < 1/20 exactly if
    hits < k. So the end next to 0 is compared with 0 as hits are, whatever is rounded.

    >>> symmetric_interval(2.0, np.array([-1.5] * 19 + [0.5]))
    (-0.5, 4.5)
    """
    place = len(beyond) // HITS_SHARE
    if not place:
        return -math.inf, math.inf
    excess = float(np.partition(beyond, len(beyond) - place)[len(beyond) - place])
    far = 2.0 * abs(mean) + excess
    return (0.0 - excess, far) if mean >= 0.0 else (-far, excess)
