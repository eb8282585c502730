"""The shifted paired bootstrap test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.measures import Scale
from runoff.significance._base import SignificanceResult, SignificanceTest
from runoff.significance._exact_sums import on_grid
from runoff.significance._input import Paired
from runoff.significance._intervals import LEVEL, mean_and_error
from runoff.significance._sampling import BLOCK_CELLS, blocks, draws
from runoff.tables.memory import keep_freed_memory


@dataclass(frozen=True)
class Bootstrap(SignificanceTest):
    """Asks how often the means would differ as much if the queries were drawn from a population where they do not.

        p = (hits + 1) / (trials + 1), hits the samples d* of n queries with |mean(d*) - mean(d)| >= |mean(d)|

    The statistic and the effect are the mean difference. The interval is the percentile interval of mean(d*), from the
    values at places k and trials + 1 - k of their order, k = 0.025 (trials + 1) rounded down.

    Efron & Tibshirani 1993, An introduction to the bootstrap, ch. 16, https://doi.org/10.1201/9780429246593; for
    retrieval: Sakai 2006, Evaluating evaluation metrics based on the bootstrap, https://doi.org/10.1145/1148170.1148261

    >>> result = Bootstrap().compare([0.2, 0.5, 0.1, 0.4], [0.5, 0.6, 0.5, 0.6], trials=999)
    >>> result.p, round(result.effect, 4), result.seed
    (0.001, 0.25, 0)
    """

    name: ClassVar[str] = "bootstrap"
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
            sums = bootstrap_sums(whole, trials=trials, seed=paired.seed)
            observed = float(whole.sum())
            # Three rounded sums are compared here: allow for half a unit per query in each.
            hits = int((np.abs(sums - observed) >= abs(observed) - 1.5 * n).sum())
            p = (hits + 1) / (trials + 1)
            interval = percentile_interval(np.ldexp(sums, -exponent) / n)
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


def percentile_interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """The values at the two places of the order that cut off 2.5% each."""
    place = max(int((1.0 - LEVEL) / 2 * (len(values) + 1)) - 1, 0)
    ordered = np.partition(values, [place, len(values) - 1 - place])
    return float(ordered[place]), float(ordered[len(values) - 1 - place])
