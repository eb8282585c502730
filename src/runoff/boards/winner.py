"""The winner's score corrected for having been picked as the highest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.boards._bootstrap import WINNER, drawn_means
from runoff.boards._covariance import ROUNDING, covariance, covariance_root
from runoff.boards.winner_interval import unseen_interval, winner_interval
from runoff.errors import UsageError
from runoff.significance import check_sampling
from runoff.tables.scores import Scores

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
    trials: int
    seed: int

    @property
    def is_rough(self) -> bool:
        """Whether the scores are so skewed, on so few queries, that the interval may hold less often than it says."""
        return _is_rough(self.skewness, self.queries)


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
    known = drawn_means(scores, trials=trials, seed=seed, best_is_low=best_is_low, known=drawn)
    if len(scores.query_ids) < 2:
        raise UsageError("one query only; expected two or more, to know how much a mean varies; give more")
    sign = -1.0 if best_is_low else 1.0
    means = sign * scores.means
    sampled = sign * np.concatenate(list(known))
    excess = _excess(sampled, means)
    first = float(excess.mean())
    second = _second_level(sign * covariance_root(scores.values), sampled, seed)
    optimism = max(2.0 * first - second, 0.0)
    tied = top_places(means)
    names = tuple(sorted(scores.runs[place] for place in tied))
    best = scores.runs.index(names[0])
    corrected = float(means[best]) - optimism
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
        skewness=_skewness(sign * scores.values[:, best]),
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
    queries, errors = len(values), covariance(values) / len(values)
    edges = sorted((sign * float(values.min()), sign * float(values.max())))
    if edges[0] == edges[1]:
        raise UsageError("all scores are the same; expected some that differ, to know how much a mean varies")
    ends: list[float] = []
    for place in tied.tolist():
        skewness = _skewness(sign * values[:, place])
        if _is_rough(skewness, queries):
            ends += unseen_interval(float(means[place]), *edges, queries=queries)
        if skewness is not None:
            kept = np.concatenate([[place], np.setdiff1d(np.arange(values.shape[1]), tied)])
            ends += winner_interval(
                means[kept], errors[np.ix_(kept, kept)], queries=queries, skewness=skewness, seed=seed
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
    found = [
        float(_excess(truth + rng.standard_normal((INNER, len(root))) @ root, truth).mean()) for truth in drawn[:INNER]
    ]
    return float(np.mean(found))
