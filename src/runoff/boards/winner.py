"""The winner's score, corrected for having been picked as the highest, and an interval of its true mean."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.boards._bootstrap import WINNER, make_grid, redraws
from runoff.boards._covariance import ROUNDING, centred_products, covariance_root
from runoff.errors import UsageError
from runoff.significance import check_sampling
from runoff.tables.scores import Scores

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
    from scipy.special import ndtri, stdtrit

    error, spare = 1.0 - level, KEPT_BACK * (1.0 - level)
    z = float(ndtri(1.0 - error / 2))
    # Student's interval is wider than the normal one.
    scale = math.sqrt(variance) * float(stdtrit(queries - 1, 1.0 - error / 2) / ndtri(1.0 - error / 2))
    bound = _largest_error(covariance, spare, seed)
    low, high = _room(means, covariance, best)
    inner = (error - spare) / (1.0 - spare)
    ends = [_solved(float(means[best]), scale, low, high, bound, share) for share in (1.0 - inner / 2, inner / 2)]
    moved = scale * skewness * ((2.0 * z * z + 1.0) / (6.0 * math.sqrt(queries)))
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


def _largest_error(covariance: NDArray[np.float64], spare: float, seed: int) -> float:
    """The 1 - spare quantile of the largest |error| / se over all means."""
    varies = np.diag(covariance) > 0.0
    part = covariance[np.ix_(varies, varies)]
    values, vectors = np.linalg.eigh(part / np.sqrt(np.outer(np.diag(part), np.diag(part))))
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(WINNER, 1)))
    largest = np.concatenate(
        [np.abs(rng.standard_normal((DRAWS // 10, len(root))) @ root.T).max(axis=1) for _ in range(10)]
    )
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


ROUGH: Final = 0.2
"""Skewness over the root of the queries from which on an interval is rough: 1.4 on 50 queries, 6.3 on 1,000."""
INNER = 200  # second-level samples for each of as many first-level ones


@dataclass(frozen=True, kw_only=True)
class WinnerResult:
    """The best run of a board, and what its score would be on new queries.

    run        the run with the best mean; of several that tie exactly, the first by name
    names      all that tie for the best mean, by name: one winner with several names
    runs       how many runs there are
    score      the observed mean
    optimism   by how much the mean of a winner is too good: the bootstrap's estimate, iterated once
    corrected  the score without it
    ci95       a 95% interval of the winner's true mean, which allows for the picking (`winner_interval`) and holds
               `corrected`; of several names, it covers the interval of each
    skewness   of the winner's scores over queries; None if they are all the same
    is_rough   whether they are so skewed, on so few queries, that the interval may hold less often than it says
    """

    run: str
    names: tuple[str, ...]
    measure: str
    runs: int
    queries: int
    score: float
    optimism: float
    corrected: float
    ci95: tuple[float, float]
    skewness: float | None
    is_rough: bool
    trials: int
    seed: int


def winner(
    scores: Scores,
    *,
    trials: int = 1000,
    seed: int = 0,
    best_is_low: bool = False,
    drawn: NDArray[np.float64] | None = None,
) -> WinnerResult:
    """Correct the best mean of a board for selection.

        optimism b = E[mean of the winner - its true mean];  its bootstrap estimate b1 = E*[mean*(w*) - mean(w*)],
        w* the winner of a bootstrap sample;  iterated: 2 b1 - E*[b1*]

    b1 takes the observed means for the truth. They are further apart than the true ones, so it is too small where runs
    are close, and the second round adds what it finds missing. For means of many queries the second-level samples are
    drawn from the normal law with the board's covariance. `drawn` are the means of the samples, where they are known:
    `StabilityResult.drawn_means` of the same trials and seed.

    The interval is that of `winner_interval`, widened to hold the corrected score: of a winner that is barely ahead it
    would otherwise end far below its mean. Runs that tie exactly were not picked from each other, so each has the
    interval that it would have without the others. Where scores are so skewed, on so few queries, that their spread
    says little (`is_rough`), it also covers `unseen_interval`, which is all of it where they never vary.

    Efron & Tibshirani 1993, An introduction to the bootstrap, chapter 10, https://doi.org/10.1201/9780429246593;
    Hall & Martin 1988 (iteration), https://doi.org/10.1093/biomet/75.4.661

    >>> rng = np.random.default_rng(0)
    >>> values = rng.random((100, 20))
    >>> scores = Scores(measure="AP", query_ids=tuple(map(str, range(100))), runs=tuple("abcdefghijklmnopqrst"),
    ...                 values=values)
    >>> result = winner(scores)
    >>> round(result.score, 2), round(result.corrected, 2)
    (0.55, 0.51)
    """
    check_sampling(seed, trials)
    if drawn is None:
        grid = make_grid(scores, best_is_low=best_is_low)
        drawn = np.concatenate([grid.means(sums) for sums in redraws(grid, trials=trials, seed=seed)])
    if len(scores.query_ids) < 2:
        raise UsageError("one query only; expected two or more, to know how much a mean varies; give more")
    sign = -1.0 if best_is_low else 1.0
    means = sign * scores.means
    sampled = sign * drawn
    excess = _excess(sampled, means)
    first = float(excess.mean())
    second = _second_level(sign * covariance_root(scores.values), sampled, seed)
    optimism = max(2.0 * first - second, 0.0)
    tied = top_places(means)
    names = tuple(sorted(scores.runs[place] for place in tied))
    best = scores.runs.index(names[0])
    corrected = float(means[best]) - optimism
    skewness = _skewness(sign * scores.values[:, best])
    ends = np.array([*_ends(scores.values, sign, means, tied, seed), corrected])
    low, high = sorted((sign * float(ends.min()), sign * float(ends.max())))
    return WinnerResult(
        run=names[0],
        names=names,
        measure=scores.measure,
        runs=len(scores.runs),
        queries=len(scores.query_ids),
        score=float(sign * means[best]),
        optimism=optimism,
        corrected=sign * corrected,
        ci95=(low, high),
        skewness=skewness,
        is_rough=_is_rough(skewness, len(scores.query_ids)),
        trials=trials,
        seed=seed,
    )


def top_places(means: NDArray[np.float64]) -> NDArray[np.intp]:
    """The places of the highest mean; means that are equal up to rounding are equal.

    >>> top_places(np.array([0.1 + 0.2, 0.1, 0.3])).tolist()
    [0, 2]
    """
    near = ROUNDING * max(1.0, float(np.abs(means).max()))
    return np.flatnonzero(means >= means.max() - near)


def _ends(
    values: NDArray[np.float64], sign: float, means: NDArray[np.float64], tied: NDArray[np.intp], seed: int
) -> list[float]:
    """Both ends of the interval of each run that ties for the best mean, the others that tie left out of its board."""
    queries = len(values)
    errors = centred_products(values) / (queries - 1) / queries
    edges = sorted((sign * float(values.min()), sign * float(values.max())))
    if edges[0] == edges[1]:
        raise UsageError("all scores are the same; expected some that differ, to know how much a mean varies")
    ends: list[float] = []
    for place in tied.tolist():
        skewness = _skewness(sign * values[:, place])
        if _is_rough(skewness, queries):
            ends += unseen_interval(float(means[place]), *edges, queries=queries)
        if skewness is not None:
            rivals = np.concatenate([[place], np.setdiff1d(np.arange(values.shape[1]), tied)])
            ends += winner_interval(
                means[rivals], errors[np.ix_(rivals, rivals)], queries=queries, skewness=skewness, seed=seed
            )
    return ends


def _skewness(scores: NDArray[np.float64]) -> float | None:
    """The third moment over the 3/2 power of the second; None if all scores are the same."""
    if np.ptp(scores) == 0.0:
        return None
    away = scores - scores.mean()
    return float((away**3).mean() / (away**2).mean() ** 1.5)


def _is_rough(skewness: float | None, queries: int) -> bool:
    return skewness is None or abs(skewness) > ROUGH * math.sqrt(queries)


def _excess(drawn: NDArray[np.float64], truth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Per sample, the winner's mean minus what it is a sample of."""
    best = drawn.argmax(axis=1)
    rows = np.arange(len(drawn))
    return np.asarray(drawn[rows, best] - truth[best])


def _second_level(root: NDArray[np.float64], drawn: NDArray[np.float64], seed: int) -> float:
    """The mean optimism of samples of samples: normal, with the covariance that a bootstrap mean has."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(WINNER,)))
    errors = [
        float(_excess(truth + rng.standard_normal((INNER, len(root))) @ root, truth).mean()) for truth in drawn[:INNER]
    ]
    return float(np.mean(errors))
