"""Equivalence: is a challenger no worse than the champion by more than a margin, or as good within it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from numpy.typing import ArrayLike

from runoff.errors import UsageError
from runoff.significance._base import check_paired
from runoff.significance._intervals import mean_and_error, student_interval
from runoff.significance.paired_t import student_statistic


@dataclass(frozen=True, kw_only=True)
class EquivalenceResult:
    """Two one-sided t tests against a margin.

    difference      the challenger's mean minus the champion's
    no_worse_p      of the test of difference > -margin: small where the challenger is no worse than by the margin
    no_better_p     of the test of difference < margin
    p               the larger of the two: small where the runs are equivalent within the margin
    difference_ci90 the interval that is within the margin exactly where p is below 0.05
    """

    margin: float
    difference: float
    no_worse_p: float
    no_better_p: float
    p: float
    difference_ci90: tuple[float, float]
    n: int


def equivalence(champion: ArrayLike, challenger: ArrayLike, *, margin: float) -> EquivalenceResult:
    """Test whether two runs differ by less than a margin: what "not significant" does not say.

        no worse: t = (mean(d) + margin) / se;  no better: t = (margin - mean(d)) / se;  each one-sided

    Scores where higher is better; for a cheaper system look at `no_worse_p` alone.

    Schuirmann 1987, A comparison of the two one-sided tests procedure, https://doi.org/10.1007/BF01068419

    >>> result = equivalence([0.5, 0.6, 0.4, 0.5] * 10, [0.5, 0.6, 0.45, 0.45] * 10, margin=0.02)
    >>> round(result.p, 4), round(result.no_worse_p, 4)
    (0.0005, 0.0005)
    """
    if not (math.isfinite(margin) and margin > 0.0):
        raise UsageError(f"margin={margin!r} cannot be used; expected a difference above 0; write margin=0.01")
    paired = check_paired(champion, challenger, seed=0, trials=1)
    mean, error = mean_and_error(paired.differences)
    no_worse, no_better = (_one_sided(lead, error, paired.n) for lead in (mean + margin, margin - mean))
    return EquivalenceResult(
        margin=float(margin),
        difference=mean,
        no_worse_p=no_worse,
        no_better_p=no_better,
        p=max(no_worse, no_better),
        difference_ci90=student_interval(mean, error, paired.n, level=0.9),
        n=paired.n,
    )


def _one_sided(lead: float, error: float, n: int) -> float:
    """P(t >= observed) for a lead over the margin; 1 for a single query."""
    from scipy.special import stdtr

    if n == 1:
        return 1.0
    p = float(stdtr(n - 1, -float(student_statistic(lead, error, n))))
    return min(max(p, 5e-324), 1.0)
