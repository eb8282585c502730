"""Wilcoxon's rank sum test, which is Mann and Whitney's U test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.measures import Scale
from runoff.significance._base import Paired, SignificanceResult, SignificanceTest, as_p
from runoff.significance._intervals import LEVEL


@dataclass(frozen=True)
class RankSum(SignificanceTest):
    """Asks whether a score of the challenger tends to be higher than a score of the champion, whatever the query.

        U = pairs (i, j) of queries with challenger_i > champion_j, ties counting one half
        z = (|U - n^2 / 2| - 1/2) / sqrt(n^2 / 12 x (2 n + 1 - sum (t^3 - t) / (2 n (2 n - 1))))

    Equals `scipy.stats.mannwhitneyu(challenger, champion, method="asymptotic")`, which ignores the pairing. The effect
    is the probability of superiority U / n^2. Its interval is that of paired data (`placement_interval`), so it can
    leave out one half where p is not small.

    Mann & Whitney 1947, On a test of whether one of two random variables is stochastically larger than the other,
    https://doi.org/10.1214/aoms/1177730491
    Munzel 1999, Nonparametric methods for paired samples (the interval), https://doi.org/10.1111/1467-9574.00112

    >>> result = RankSum().compare([0.2, 0.5, 0.1, 0.4], [0.5, 0.6, 0.5, 0.6])
    >>> result.statistic, round(result.p, 4), result.effect
    (15.0, 0.053, 0.9375)
    """

    name: ClassVar[str] = "rank_sum"
    label: ClassVar[str] = "rank sum test"
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
        above, below = placements(paired.champion, paired.challenger)
        doubled = int(above.sum())
        pool = np.concatenate([paired.champion, paired.challenger])
        sizes = np.unique(pool, return_counts=True)[1].astype(np.float64)
        tie_term = float((sizes * (sizes * sizes - 1.0)).sum())
        return SignificanceResult(
            name=self.name,
            statistic=doubled / 2,
            p=float(u_p(doubled / 2, tie_term, n)),
            effect=doubled / 2 / (n * n),
            effect_name=self.effect_name,
            no_effect=0.5,
            effect_ci95=placement_interval(above, below, all_tied=not paired.differences.any()),
            n=n,
            n_used=n,
            method="asymptotic",
        )


def placements(
    champion: NDArray[np.float64], challenger: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each query, twice the number of champion's scores below the challenger's score; then the other way round.

    Scores that are equal count one half. Divided by 2 n these are the placements V and W of `placement_interval`.

    >>> above, below = placements(np.array([0.2, 0.5]), np.array([0.5, 0.6]))
    >>> above.tolist(), below.tolist()
    ([3, 4], [0, 1])
    """
    first, second = np.argsort(champion), np.argsort(challenger)
    # In order, so that each search is near the one before.
    low, high = champion[first], challenger[second]
    above, below = np.empty(len(low), dtype=np.int64), np.empty(len(low), dtype=np.int64)
    above[second] = np.searchsorted(low, high, "left") + np.searchsorted(low, high, "right")
    below[first] = np.searchsorted(high, low, "left") + np.searchsorted(high, low, "right")
    return above, below


def placement_interval(
    above: NDArray[np.int64], below: NDArray[np.int64], *, all_tied: bool = False
) -> tuple[float, float]:
    """The 95% interval of the probability of superiority of paired runs, from twice n times their placements.

        V_k = share of the champion's scores below the challenger's score of query k, equal ones counting one half
        W_k = share of the challenger's scores below the champion's score of query k, likewise;  D_k = V_k - W_k
        theta = mean(V);  logit(theta) +- t(0.975, n - 1) x sd(D) / (sqrt(n) theta (1 - theta))

    A query enters twice, by each run's score, and D keeps what the two have in common out of the variance. The logit
    keeps the interval within 0..1 and its coverage near 95% where theta is near an end (docs/method/significance.md).
    Placements go in steps of 1 / (2 n), so sd(D) is taken to be no less than 2 theta (1 - theta) / n, which is one step
    at theta = 1/2. Where all scores of one run are below all of the other's, the variance says nothing: the interval is
    the exact one of n wins in n queries. Runs that tie on every query have width 0; one query says nothing.

    Munzel 1999, Nonparametric methods for paired samples, https://doi.org/10.1111/1467-9574.00112
    Konietschke & Pauly 2012, A studentized permutation test for the nonparametric Behrens-Fisher problem in paired
    data, https://doi.org/10.1214/12-EJS714
    DeLong, DeLong & Clarke-Pearson 1988, Comparing the areas under two or more correlated receiver operating
    characteristic curves (placements), https://doi.org/10.2307/2531595

    >>> low, high = placement_interval(*placements(np.array([0.2, 0.5, 0.4, 0.3]), np.array([0.5, 0.6, 0.3, 0.4])))
    >>> round(low, 3), round(high, 3)
    (0.13, 0.978)
    """
    from scipy.special import expit, stdtrit

    n = len(above)
    if n == 1:
        return 0.0, 1.0
    if all_tied:
        return 0.5, 0.5
    wins, losses = float(above.sum()), float(below.sum())
    tail = (1.0 - LEVEL) / 2
    if not wins or not losses:
        edge = tail ** (1.0 / n)
        return (edge, 1.0) if wins else (0.0, 1.0 - edge)
    differences = (above - below) / (2.0 * n)
    theta = wins / (wins + losses)
    spread = max(float(differences.std(ddof=1)) / (theta * (1.0 - theta)), 2.0 / n)
    half = float(stdtrit(n - 1, 1.0 - tail)) * spread / math.sqrt(n)
    centre = math.log(wins / losses)
    return float(expit(centre - half)), float(expit(centre + half))


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


def mid_ranks(
    ordered: NDArray[np.float64] | NDArray[np.int64], values: NDArray[np.float64] | NDArray[np.int64]
) -> NDArray[np.float64]:
    """The ranks of values in a sorted array that holds them; equal ones share the mean of their places.

    >>> mid_ranks(np.array([0.1, 0.5, 0.5]), np.array([0.5, 0.1])).tolist()
    [2.5, 1.0]
    """
    below, upto = np.searchsorted(ordered, values, "left"), np.searchsorted(ordered, values, "right")
    ranks: NDArray[np.float64] = (below + upto + 1) / 2
    return ranks
