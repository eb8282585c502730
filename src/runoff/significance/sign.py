"""The sign test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.measures import Scale
from runoff.significance._base import Paired, SignificanceResult, SignificanceTest, as_p, whole_differences
from runoff.significance._intervals import binomial_intervals


@dataclass(frozen=True)
class Sign(SignificanceTest):
    """Asks whether the challenger wins more queries than it loses.

        p = P(|B - m / 2| >= |wins - m / 2|), B binomial with m = wins + losses and 1/2; tied queries are left out

    Equals `scipy.stats.binomtest(wins, m)`; the statistic is the number of wins. Scores that differ by rounding noise
    are tied (`whole_differences`). The effect is the share of wins among the queries that are not tied, with the exact
    interval.

    Arbuthnott 1710, An argument for divine providence, https://doi.org/10.1098/rstl.1710.0011

    >>> result = Sign().compare([0.2, 0.5, 0.1, 0.4, 0.3], [0.5, 0.6, 0.5, 0.2, 0.3])
    >>> result.statistic, result.n_used, result.p, result.effect
    (3.0, 4, 0.625, 0.75)
    """

    name: ClassVar[str] = "sign"
    label: ClassVar[str] = "sign test"
    description: ClassVar[str] = "Asks whether the challenger wins more queries than it loses."
    source: ClassVar[str] = "Arbuthnott 1710, An argument for divine providence, https://doi.org/10.1098/rstl.1710.0011"
    needs: ClassVar[Scale] = "ordinal"
    needs_reason: ClassVar[str] = "it asks only which of two scores is higher"
    effect_name: ClassVar[str] = "share of wins"

    def _compare(self, paired: Paired) -> SignificanceResult:
        whole = whole_differences(paired.champion, paired.challenger)
        wins, losses = int((whole > 0).sum()), int((whole < 0).sum())
        m = wins + losses
        low, high = binomial_intervals(wins, m)
        return SignificanceResult(
            name=self.name,
            statistic=float(wins),
            p=float(binomial_p(wins, losses)),
            effect=wins / m if m else 0.5,
            effect_name=self.effect_name,
            no_effect=0.5,
            effect_ci95=(float(low), float(high)),
            n=paired.n,
            n_used=m,
            method="exact",
        )


def binomial_p(wins: ArrayLike, losses: ArrayLike) -> NDArray[np.float64]:
    """Two-sided p of wins against losses under even chances, for counts of any shape; 1 where there are none.

    >>> float(binomial_p(81, 109).round(4))
    0.0499
    """
    from scipy.special import bdtr

    first, second = np.asarray(wins, dtype=np.float64), np.asarray(losses, dtype=np.float64)
    return as_p(2.0 * bdtr(np.minimum(first, second), (first + second).astype(np.int64), 0.5))
