"""Who could be best: a confidence set of the best run, and for each run those that it cannot be told apart from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.boards._covariance import centred_products
from runoff.boards._redraws import drawn_means
from runoff.errors import UsageError
from runoff.significance import check_sampling
from runoff.tables.scores import Scores

PAIR_CELLS = 1 << 22  # trials x pairs held at once, 32 MB


@dataclass(frozen=True, eq=False, kw_only=True)
class BestSetResult:
    """The runs that could be the best; arrays are in the order of `runs`.

    differences  float64, runs x runs: the mean of run i minus that of run j, above 0 where i is better
    errors       float64, runs x runs: the standard error of that difference over queries
    critical     how many standard errors a difference must exceed, for all pairs at once
    could_be_best  bool, runs: no other run is better by more than that
    alike        bool, runs x runs: the two runs cannot be told apart
    """

    measure: str
    runs: tuple[str, ...]
    queries: int
    level: float
    trials: int
    seed: int
    critical: float
    differences: NDArray[np.float64]
    errors: NDArray[np.float64]
    could_be_best: NDArray[np.bool_]
    alike: NDArray[np.bool_]

    def __post_init__(self) -> None:
        for array in (self.differences, self.errors, self.could_be_best, self.alike):
            array.setflags(write=False)

    @property
    def best(self) -> tuple[str, ...]:
        """The runs that could be best, the one with the best mean first."""
        order = np.argsort(-self.differences.mean(axis=1), kind="stable")
        return tuple(self.runs[place] for place in order if self.could_be_best[place])


def best_set(
    scores: Scores,
    *,
    level: float = 0.95,
    trials: int = 1000,
    seed: int = 0,
    best_is_low: bool = False,
    drawn: NDArray[np.float64] | None = None,
) -> BestSetResult:
    """The runs that could be best on queries like these: the set holds the truly best run with probability `level`.

        run i is out if some run j has  mean(j) - mean(i) > c se(i, j)
        c = the level's quantile, over bootstrap samples, of the largest (centred difference) / se of all pairs,
        taken from the normal to Student's law with n - 1 degrees of freedom

    The bootstrap knows the se that it divides by, and a board has to estimate it; without the last step all pairs of
    equal runs are alike in 92% of the boards of 50 queries and not in 95% (docs/calibration.md).

    The same c tells all pairs apart at once: a pair is `alike` where |difference| <= c se.

    level   how sure the set is to hold the best run
    trials  bootstrap samples of the queries
    drawn   the means of these samples, where they are known: `StabilityResult.drawn_means` of the same trials and seed

    Hsu 1996, Multiple comparisons, chapter 4 (comparisons with the best), ISBN 978-0-412-98281-1; Romano & Wolf 2005
    (max-t by the bootstrap), https://doi.org/10.1198/016214504000000539

    >>> values = np.array([[1, 0.5, 0], [0.5, 1, 0], [1, 0.5, 0.2], [0.5, 0.5, 0.1], [1, 0.9, 0], [0.4, 1, 0.1]])
    >>> scores = Scores(measure="AP", query_ids=tuple("abcdef"), runs=("oak", "ash", "fir"), values=values)
    >>> result = best_set(scores)
    >>> result.best, result.alike.tolist()[0]
    (('oak', 'ash'), [True, True, False])
    """
    check_sampling(seed, trials)
    if not 0.0 < level < 1.0:
        raise UsageError(f"level={level} cannot be used; expected a number between 0 and 1; write 0.95")
    sampled = drawn_means(scores, trials=trials, seed=seed, best_is_low=best_is_low, known=drawn)
    sign = -1.0 if best_is_low else 1.0
    means = sign * scores.means
    differences = means[:, None] - means[None, :]
    errors = pair_errors(scores.values)
    critical = _critical(sampled, scores.means, errors, level, len(scores.query_ids))
    # Means that are equal up to rounding, and pairs that never differ, are alike.
    slack = 1e-12 * max(1.0, float(np.abs(means).max()))
    ahead = differences > critical * errors + slack
    return BestSetResult(
        measure=scores.measure,
        runs=scores.runs,
        queries=len(scores.query_ids),
        level=float(level),
        trials=trials,
        seed=seed,
        critical=critical,
        differences=differences,
        errors=errors,
        could_be_best=np.logical_not(ahead.any(axis=0)),
        alike=~(ahead | ahead.T),
    )


def pair_errors(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The standard error of the mean difference of each two columns, runs x runs."""
    n, gram = len(values), centred_products(values)
    own = np.diag(gram)
    squares = own[:, None] + own[None, :] - gram - gram.T
    # What is left of two equal columns is rounding.
    squares[squares <= 1e-12 * (own[:, None] + own[None, :])] = 0.0
    errors: NDArray[np.float64] = np.sqrt(squares / (max(n - 1, 1) * n))
    return errors


def _critical(
    sampled: Iterable[NDArray[np.float64]],
    means: NDArray[np.float64],
    errors: NDArray[np.float64],
    level: float,
    queries: int,
) -> float:
    """The quantile of the largest studentised centred difference over the trials; 0 if no two runs differ."""
    i, j = np.triu_indices(len(means), 1)
    kept = errors[i, j] > 0.0
    i, j = i[kept], j[kept]
    if not len(i):
        return 0.0
    scale = 1.0 / errors[i, j]
    rows = max(1, PAIR_CELLS // len(i))
    largest = [
        np.abs((centred[first : first + rows, i] - centred[first : first + rows, j]) * scale).max(axis=1)
        for centred in (some - means for some in sampled)
        for first in range(0, len(centred), rows)
    ]
    ordered = np.sort(np.concatenate(largest))
    trials = len(ordered)
    return students(float(ordered[min(int(np.ceil(level * (trials + 1))) - 1, trials - 1)]), queries)


def students(z: float, n: int) -> float:
    """The quantile of Student's law for n queries that leaves as much above it as z does of the normal.

    >>> round(students(1.959964, 50), 4), round(students(3.0, 5000), 4)
    (2.0096, 3.0015)
    """
    from scipy.special import ndtr, stdtrit

    return float(-stdtrit(max(n - 1, 1), max(float(ndtr(-z)), 1e-300)))
