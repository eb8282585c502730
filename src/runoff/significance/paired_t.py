"""Student's t test of paired scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.measures import Scale
from runoff.significance._base import Paired, SignificanceResult, SignificanceTest, as_p
from runoff.significance._intervals import mean_and_error, student_interval


@dataclass(frozen=True)
class PairedT(SignificanceTest):
    """Asks whether the mean difference is further from 0 than its standard error explains.

        t = mean(d) / (sd(d) / sqrt(n)),  p from Student's law with n - 1 degrees of freedom

    Equals `scipy.stats.ttest_rel`. The effect is the mean difference with Student's interval. Differences that are all
    the same but not 0 give an infinite t; one query alone gives t = 0 and p = 1.

    Student 1908, The probable error of a mean, https://doi.org/10.1093/biomet/6.1.1

    >>> result = PairedT().compare([0.2, 0.5, 0.1, 0.4], [0.5, 0.6, 0.5, 0.6])
    >>> round(result.statistic, 4), round(result.p, 4), round(result.effect, 4)
    (3.873, 0.0305, 0.25)
    """

    name: ClassVar[str] = "t"
    label: ClassVar[str] = "t test"
    description: ClassVar[str] = "Asks whether the mean difference is further from 0 than its standard error explains."
    source: ClassVar[str] = "Student 1908, The probable error of a mean, https://doi.org/10.1093/biomet/6.1.1"
    needs: ClassVar[Scale] = "interval"
    needs_reason: ClassVar[str] = "it takes means of differences"
    effect_name: ClassVar[str] = "mean difference"

    def _compare(self, paired: Paired) -> SignificanceResult:
        mean, error = mean_and_error(paired.differences)
        statistic = student_statistic(mean, error, paired.n)
        return SignificanceResult(
            name=self.name,
            statistic=float(statistic),
            p=float(student_p(statistic, paired.n)),
            effect=mean,
            effect_name=self.effect_name,
            effect_ci95=student_interval(mean, error, paired.n),
            n=paired.n,
            n_used=paired.n,
            method="parametric",
        )


def student_statistic(mean: ArrayLike, error: ArrayLike, n: int) -> NDArray[np.float64]:
    """Mean over standard error; 0 where both are 0 and for one query, infinite where only the error is 0."""
    means, errors = np.asarray(mean, dtype=np.float64), np.asarray(error, dtype=np.float64)
    if n == 1:
        return np.zeros_like(means)
    endless = np.where(means == 0.0, 0.0, np.copysign(np.inf, means))
    return np.where(errors == 0.0, endless, means / np.where(errors == 0.0, 1.0, errors))


def student_p(statistic: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Two-sided p of t statistics from n differences."""
    if n == 1:
        return np.ones_like(statistic)
    from scipy.special import stdtr

    return as_p(2.0 * stdtr(n - 1, -np.abs(statistic)))
