"""An interval of the winner's true mean that knows that the winner was picked for its mean."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.boards._bootstrap import WINNER
from runoff.errors import UsageError

DRAWS: Final = 20_000
"""Normal draws for the largest studentised error of all means."""
KEPT_BACK: Final = 0.1
"""The share of the error that the wide interval of all means takes, as in the paper."""


def winner_interval(
    means: NDArray[np.float64],
    covariance: NDArray[np.float64],
    *,
    queries: int,
    skewness: float = 0.0,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[float, float]:
    """The interval of the true mean of the run with the highest mean.

        x: the winner's mean, given that it won: a normal truncated to [L, U], where L and U are how low and how high x
        could have been, all that is independent of x fixed, with the same run first; cut further to within c standard
        errors of the truth, c the quantile of the largest |error| / se of all means at a tenth of the error

    Where the winner is clear, L is far away and this is the usual interval; where others are close behind, it reaches
    lower. The means are taken to be normal with a known covariance; for few queries the standard errors are stretched
    as Student's t is, and the end on the side of the longer tail is moved out by what skewness g does to a t statistic:

        g (2 z^2 + 1) / (6 sqrt(n)) standard errors, z the normal quantile of the end

    The other end stays: scores that are piled up at 1, as RR is, have a small sample variance just when their mean is
    high, so an interval that is only moved would be short.

    means, covariance  of the means of all runs, higher is better; runs, and runs x runs; the winner's varies
    skewness           of the winner's scores over queries

    Andrews, Kitagawa & McCloskey 2024, Inference on winners (the hybrid interval), https://doi.org/10.1093/qje/qjad043;
    Hall 1992, The bootstrap and Edgeworth expansion (skewness), https://doi.org/10.1007/978-1-4612-4384-7

    >>> low, high = winner_interval(np.array([0.5, 0.1]), np.diag([0.01, 0.01]), queries=1000)
    >>> round(low, 2), round(high, 2)
    (0.3, 0.7)
    >>> close = winner_interval(np.array([0.5, 0.49]), np.diag([0.01, 0.01]), queries=1000)
    >>> close[0] < low
    True
    """
    best = int(np.argmax(means))
    variance = float(covariance[best, best])
    if variance <= 0.0:
        raise UsageError("the winner's scores do not vary; expected two that differ; take `unseen_interval`")
    error, spare = 1.0 - level, KEPT_BACK * (1.0 - level)
    scale = math.sqrt(variance) * _stretch(queries, error)
    bound = _largest_error(covariance, spare, seed)
    low, high = _room(means, covariance, best)
    inner = (error - spare) / (1.0 - spare)
    ends = [_solved(float(means[best]), scale, low, high, bound, share) for share in (1.0 - inner / 2, inner / 2)]
    moved = scale * skewness * _skew_factor(queries, error)
    return ends[0] + min(moved, 0.0), ends[1] + max(moved, 0.0)


def unseen_interval(
    score: float, lowest: float, highest: float, *, queries: int, level: float = 0.95
) -> tuple[float, float]:
    """How far the queries that did not come up could move a mean, where the spread of those that did says little.

        with probability 1 - e no share of queries above u = 1 - e^(1/n) stays unseen in n; such queries score `lowest`
        or `highest`, the ends of what any run of the board scored; e half of the error, one for each side

    A run that is perfect on 50 queries has no spread to make an interval from, and one that fails on 2 of them has
    little.

    The "rule of three": Hanley & Lippman-Hand 1983, https://doi.org/10.1001/jama.1983.03330370053031

    >>> low, high = unseen_interval(1.0, 0.0, 1.0, queries=50)
    >>> round(low, 3), high
    (0.929, 1.0)
    """
    unseen = 1.0 - ((1.0 - level) / 2.0) ** (1.0 / queries)
    return score - (score - lowest) * unseen, score + (highest - score) * unseen


def _skew_factor(queries: int, error: float) -> float:
    """By how many standard errors skewness 1 moves a quantile of the t statistic."""
    from scipy.special import ndtri

    z = float(ndtri(1.0 - error / 2))
    return (2.0 * z * z + 1.0) / (6.0 * math.sqrt(queries))


def _stretch(queries: int, error: float) -> float:
    """How much wider Student's interval is than the normal one."""
    from scipy.special import ndtri, stdtrit

    return float(stdtrit(queries - 1, 1.0 - error / 2) / ndtri(1.0 - error / 2))


def _largest_error(covariance: NDArray[np.float64], spare: float, seed: int) -> float:
    """The 1 - spare quantile of the largest |error| / se over all means."""
    known = np.diag(covariance) > 0.0
    part = covariance[np.ix_(known, known)]
    values, vectors = np.linalg.eigh(part / np.sqrt(np.outer(np.diag(part), np.diag(part))))
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(WINNER, 1)))
    largest = np.concatenate([
        np.abs(rng.standard_normal((DRAWS // 10, len(root))) @ root.T).max(axis=1) for _ in range(10)
    ])  # fmt: skip
    return float(np.quantile(largest, 1.0 - spare))


def _room(means: NDArray[np.float64], covariance: NDArray[np.float64], best: int) -> tuple[float, float]:
    """How low and how high the winner's mean could have been with the same run first, all else fixed."""
    slope = covariance[:, best] / covariance[best, best]
    rest, lead = means - slope * means[best], 1.0 - slope
    others = np.arange(len(means)) != best
    behind, ahead = others & (lead > 1e-12), others & (lead < -1e-12)
    low = (rest[behind] / lead[behind]).max(initial=-np.inf)
    high = (rest[ahead] / lead[ahead]).min(initial=np.inf)
    return min(float(low), float(means[best])), max(float(high), float(means[best]))


def _solved(x: float, scale: float, low: float, high: float, bound: float, share: float) -> float:
    """The true mean under which x or less has that probability; it falls as the mean rises."""
    under, over = x - bound * scale, x + bound * scale
    for _ in range(100):
        middle = (under + over) / 2
        if _chance(x, middle, scale, low, high, bound) > share:
            under = middle
        else:
            over = middle
    return (under + over) / 2


def _chance(x: float, truth: float, scale: float, low: float, high: float, bound: float) -> float:
    """P(winner's mean <= x) for the truncated normal law."""
    from scipy.special import ndtr

    at = (x - truth) / scale
    first, last = max((low - truth) / scale, -bound), min((high - truth) / scale, bound)
    if first > 0.0:  # in the upper tail the small numbers are exact
        below, whole = ndtr(-first) - ndtr(-at), ndtr(-first) - ndtr(-last)
    else:
        below, whole = ndtr(at) - ndtr(first), ndtr(last) - ndtr(first)
    return float(min(max(below / whole, 0.0), 1.0)) if whole > 0.0 else float(at >= last)
