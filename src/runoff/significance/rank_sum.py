"""Wilcoxon's rank sum test, which is Mann and Whitney's U test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.measures import Scale
from runoff.significance._base import SignificanceResult, SignificanceTest, as_p
from runoff.significance._input import Paired
from runoff.significance._intervals import score_interval
from runoff.significance._ties import tie_sizes


@dataclass(frozen=True)
class RankSum(SignificanceTest):
    """Asks whether a score of the challenger tends to be higher than a score of the champion, whatever the query.

        U = pairs (i, j) of queries with challenger_i > champion_j, ties counting one half
        z = (|U - n^2 / 2| - 1/2) / sqrt(n^2 / 12 x (2 n + 1 - sum (t^3 - t) / (2 n (2 n - 1))))

    Equals `scipy.stats.mannwhitneyu(challenger, champion, method="asymptotic")`. The pairing is ignored. The effect is
    the probability of superiority U / n^2, with a score interval.

    Mann & Whitney 1947, On a test of whether one of two random variables is stochastically larger than the other,
    https://doi.org/10.1214/aoms/1177730491

    >>> result = RankSum().compare([0.2, 0.5, 0.1, 0.4], [0.5, 0.6, 0.5, 0.6])
    >>> result.statistic, round(result.p, 4), result.effect
    (15.0, 0.053, 0.9375)
    """

    name: ClassVar[str] = "rank_sum"
    description: ClassVar[str] = (
        "Asks whether a score of the challenger tends to be higher than a score of the champion, whatever the query."
    )
    source: ClassVar[str] = (
        "Mann & Whitney 1947, On a test of whether one of two random variables is stochastically larger than the "
        "other, https://doi.org/10.1214/aoms/1177730491"
    )
    needs: ClassVar[Scale] = "ordinal"
    needs_reason: ClassVar[str] = "it asks only which of two scores is higher"
    effect_name: ClassVar[str] = "probability of superiority"

    def _compare(self, paired: Paired) -> SignificanceResult:
        n = paired.n
        # In order, so that each search is near the one before.
        below, above = np.sort(paired.champion), np.sort(paired.challenger)
        doubled = int(np.searchsorted(below, above, "left").sum() + np.searchsorted(below, above, "right").sum())
        sizes = tie_sizes(np.sort(np.concatenate([paired.champion, paired.challenger]))).astype(np.float64)
        tie_term = float((sizes * (sizes * sizes - 1.0)).sum())
        balance = (doubled - n * n) / (n * n)
        low, high = score_interval(balance, 4.0 * float(u_variance(tie_term, n)) / float(n) ** 4)
        return SignificanceResult(
            name=self.name,
            statistic=doubled / 2,
            p=float(u_p(doubled / 2, tie_term, n)),
            effect=doubled / 2 / (n * n),
            effect_name=self.effect_name,
            no_effect=0.5,
            effect_ci95=((1.0 + low) / 2, (1.0 + high) / 2),
            n=n,
            n_used=n,
            method="asymptotic",
        )


def u_variance(tie_term: ArrayLike, n: int) -> NDArray[np.float64]:
    """Variance of U for two runs of n queries if they do not differ; 0 where all scores are tied."""
    ties = np.asarray(tie_term, dtype=np.float64)
    variance: NDArray[np.float64] = n * n / 12 * (2 * n + 1 - ties / (2 * n * (2 * n - 1)))
    all_tied = 2.0 * n * (4.0 * n * n - 1.0)
    return np.where(ties >= all_tied, 0.0, variance)


def u_p(u: ArrayLike, tie_term: ArrayLike, n: int) -> NDArray[np.float64]:
    """Two-sided p of U by the normal approximation with continuity correction; 1 where all scores are tied."""
    from scipy.special import ndtr

    variance = u_variance(tie_term, n)
    distance = np.abs(np.asarray(u, dtype=np.float64) - n * n / 2) - 0.5
    z = np.where(variance > 0.0, distance / np.sqrt(np.where(variance > 0.0, variance, 1.0)), -np.inf)
    return as_p(2.0 * ndtr(-z))
