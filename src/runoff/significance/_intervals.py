"""Confidence intervals of the effects, 95% each."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEVEL = 0.95
Z95 = 1.959963984540054  # the 97.5% quantile of the normal law


def mean_and_error(differences: NDArray[np.float64]) -> tuple[float, float]:
    """Mean of the differences and its standard error, which is 0 where they are all the same."""
    size = float(np.abs(differences).max())
    if size == 0.0:
        return 0.0, 0.0
    exponent = math.frexp(size)[1]  # a power of two: squares neither overflow nor vanish, and nothing is rounded
    scaled = np.ldexp(differences, -exponent)
    # Relative to the first value, equal differences are exactly 0, so no rounding error passes for variance.
    shifted = scaled - scaled[0]
    shift = float(shifted.mean())
    centred = shifted - shift
    n = len(scaled)
    variance = float(centred @ centred) / max(n - 1, 1)
    return math.ldexp(float(scaled[0]) + shift, exponent), math.ldexp(math.sqrt(variance / n), exponent)


def student_interval(mean: float, error: float, n: int, *, level: float = LEVEL) -> tuple[float, float]:
    """Student's t interval of a mean; the whole line for one query."""
    if n == 1:
        return -math.inf, math.inf
    from scipy.special import stdtrit

    half = float(stdtrit(n - 1, 0.5 + level / 2)) * error
    return mean - half, mean + half


def score_interval(balance: float, null_variance: float) -> tuple[float, float]:
    """Wilson's score interval of a balance in -1..1 whose variance is (1 - balance^2) x `null_variance`.

    `null_variance` is the variance that the test itself uses, where the balance is 0. So the interval holds 0 exactly
    when the test without continuity correction has p of 0.05 or more, is never empty, and never leaves -1..1.

    Wilson 1927, Probable inference, the law of succession, and statistical inference, eq. 3,
    https://doi.org/10.1080/01621459.1927.10502953
    """
    spread = Z95 * Z95 * null_variance
    centre = balance / (1.0 + spread)
    half = math.sqrt(spread * (1.0 - balance * balance) + spread * spread) / (1.0 + spread)
    return max(centre - half, -1.0), min(centre + half, 1.0)


def binomial_intervals(successes: ArrayLike, n: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both ends of the exact interval of a share, for counts of any shape; 0 and 1 where n is 0.

    Counts may be fractions.

    Clopper & Pearson 1934, The use of confidence or fiducial limits, https://doi.org/10.1093/biomet/26.4.404
    """
    from scipy.special import betaincinv

    won, lost = np.broadcast_arrays(np.asarray(successes, dtype=np.float64), np.asarray(n, dtype=np.float64))
    lost = lost - won
    tail = (1.0 - LEVEL) / 2
    # The quantile of an end that is not there is asked for with harmless counts, and replaced.
    low = np.where(won <= 0, 0.0, betaincinv(np.where(won <= 0, 1.0, won), lost + 1, tail))
    high = np.where(lost <= 0, 1.0, betaincinv(won + 1, np.where(lost <= 0, 1.0, lost), 1.0 - tail))
    return low, high
