"""The overfitting monitor: how much more a team improves on the public queries than on the private ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.boards._redraws import make_grid, redraws
from runoff.errors import UsageError
from runoff.significance import check_sampling
from runoff.tables.scores import Scores

_LEVEL = 0.95


@dataclass(frozen=True, kw_only=True)
class OverfittingResult:
    """The changes from a team's first submission to its best on the public queries; above 0 is better.

    excess             change on public minus change on private queries
    excess_ci95        its percentile interval, as if the best submission had been named beforehand
    simultaneous_ci95  an interval that holds for all later submissions at once, so also for one that was picked because
                       it scored highest
    submissions        the team's submissions, in order, first included
    """

    team: str
    first: str
    best: str
    submissions: tuple[str, ...]
    measure: str
    change_public: float
    change_private: float
    excess: float
    excess_ci95: tuple[float, float]
    simultaneous_ci95: tuple[float, float]
    public_queries: int
    private_queries: int
    trials: int
    seed: int


def overfitting(
    public: Scores,
    private: Scores,
    submissions: Sequence[str],
    *,
    team: str = "",
    best_is_low: bool = False,
    trials: int = 1000,
    seed: int = 0,
) -> OverfittingResult:
    """How much more a team's best-on-public submission improved on the public queries than on the private ones.

        excess = (public mean of best - public mean of first) - (private mean of best - private mean of first)

    Public and private queries are drawn again apart, `trials` times. The simultaneous interval is excess +- c x se, c
    the 95% quantile over the trials of the largest |excess* - excess| / se among all submissions behind the first.

    submissions  the names of the team's runs in order of date; both score tables must have them

    Craswell et al. 2021, section 3.3, https://doi.org/10.1145/3404835.3462804; for max-t intervals: Westfall &
    Young 1993, Resampling-based multiple testing, ISBN 978-0-471-55761-6
    """
    check_sampling(seed, trials)
    names = tuple(submissions)
    if len(names) < 2 or len(set(names)) < len(names):
        raise UsageError(
            f"{len(names)} submissions of team '{team}'; expected two or more, each once; leave the team out"
        )
    both = [_columns(scores, names) for scores in (public, private)]
    sign = -1.0 if best_is_low else 1.0
    means = [sign * scores.means for scores in both]
    best = int(np.argmax(means[0]))
    changes = [each - each[0] for each in means]
    excess = changes[0] - changes[1]
    drawn = _changes(both[0], 0, sign, trials, seed) - _changes(both[1], 1, sign, trials, seed)
    plain, simultaneous = _intervals(drawn, excess, best)
    return OverfittingResult(
        team=team,
        first=names[0],
        best=names[best],
        submissions=names,
        measure=public.measure,
        change_public=float(changes[0][best]),
        change_private=float(changes[1][best]),
        excess=float(excess[best]),
        excess_ci95=plain,
        simultaneous_ci95=simultaneous,
        public_queries=len(public.query_ids),
        private_queries=len(private.query_ids),
        trials=trials,
        seed=seed,
    )


def _columns(scores: Scores, names: tuple[str, ...]) -> Scores:
    values = np.column_stack([scores.of(name) for name in names])
    return Scores(measure=scores.measure, query_ids=scores.query_ids, runs=names, values=values)


def _changes(scores: Scores, query_set: int, sign: float, trials: int, seed: int) -> NDArray[np.float64]:
    """Changes from the first run (trials, runs) when the queries are drawn again."""
    grid = make_grid(scores)
    sums = np.concatenate(list(redraws(grid, trials=trials, seed=seed, query_set=query_set)))
    return sign * grid.means(sums - sums[:, :1])


def _intervals(
    drawn: NDArray[np.float64], excess: NDArray[np.float64], best: int
) -> tuple[tuple[float, float], tuple[float, float]]:
    """The percentile interval of the best run's excess, and its max-t interval; both are 0 for the first run."""
    if best == 0:
        return (0.0, 0.0), (0.0, 0.0)
    trials = len(drawn)
    tail = max(int((1.0 - _LEVEL) / 2 * (trials + 1)) - 1, 0)
    ordered = np.sort(drawn[:, best])
    errors = drawn.std(axis=0)
    ratios = np.zeros_like(drawn)
    np.divide(np.abs(drawn - excess), errors, out=ratios, where=errors > 0)
    place = min(int(np.ceil(_LEVEL * (trials + 1))) - 1, trials - 1)
    half = float(np.sort(ratios.max(axis=1))[place] * errors[best])
    centre = float(excess[best])
    return (float(ordered[tail]), float(ordered[trials - 1 - tail])), (centre - half, centre + half)
