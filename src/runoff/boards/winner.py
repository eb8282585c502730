"""The winner's score corrected for having been picked as the highest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.boards._covariance import covariance, covariance_root
from runoff.boards._redraws import WINNER, drawn_means
from runoff.boards.winner_interval import winner_interval
from runoff.errors import UsageError
from runoff.significance import check_sampling
from runoff.tables.scores import Scores

INNER = 200  # second-level samples for each of as many first-level ones


@dataclass(frozen=True, kw_only=True)
class WinnerResult:
    """The best run of a board, and what its score would be on new queries.

    score      the observed mean
    optimism   by how much the mean of a winner is too good: the bootstrap's estimate, iterated once
    corrected  the score without it, within the interval
    ci95       a 95% interval of the winner's true mean, which allows for the picking (`winner_interval`)
    """

    run: str
    measure: str
    runs: int
    queries: int
    score: float
    optimism: float
    corrected: float
    ci95: tuple[float, float]
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
    best = int(np.argmax(means))
    errors = covariance(scores.values) / len(scores.query_ids)
    low, high = winner_interval(means, errors, queries=len(scores.query_ids), seed=seed)
    corrected = min(max(float(means[best]) - optimism, low), high)
    ends = sorted((sign * low, sign * high))
    return WinnerResult(
        run=scores.runs[best],
        measure=scores.measure,
        runs=len(scores.runs),
        queries=len(scores.query_ids),
        score=float(sign * means[best]),
        optimism=float(means[best]) - corrected,
        corrected=sign * corrected,
        ci95=(float(ends[0]), float(ends[1])),
        trials=trials,
        seed=seed,
    )


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
