"""Generalisation: whether the order of the runs is the same under other queries, labels and measures."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.boards._redraws import make_grid
from runoff.boards.stability import StabilityResult, percentiles, redraw_board
from runoff.errors import UsageError
from runoff.significance import check_sampling
from runoff.tables.scores import Scores

BLOCK_CELLS = 1 << 20  # signs of pairs held at once, 1 MB per order


@dataclass(frozen=True, eq=False, kw_only=True)
class GeneralizationResult:
    """The ranks of the same runs under several conditions; arrays are in the order of `conditions` and `runs`.

    stabilities     the stability of the board under each condition
    expected_ranks  mean rank over the trials, runs x conditions
    spreads         highest minus lowest expected rank, per run
    taus            Kendall's tau-b between the orders of the mean scores, conditions x conditions
    tau_ci95        2.5% and 97.5% percentiles of tau-b over the trials, conditions x conditions x 2
    """

    conditions: tuple[str, ...]
    runs: tuple[str, ...]
    trials: int
    seed: int
    stabilities: tuple[StabilityResult, ...]
    expected_ranks: NDArray[np.float64]
    spreads: NDArray[np.float64]
    taus: NDArray[np.float64]
    tau_ci95: NDArray[np.float64]

    def __post_init__(self) -> None:
        for array in (self.expected_ranks, self.spreads, self.taus, self.tau_ci95):
            array.setflags(write=False)


def generalization(
    conditions: Mapping[str, Scores], *, trials: int = 1000, seed: int = 0, best_is_low: Collection[str] = ()
) -> GeneralizationResult:
    """Compare the ranks of the same runs under named conditions, each with its own queries, labels and measure.

    Conditions over the same queries draw the same queries in each trial; all others are drawn apart. `best_is_low`
    names the conditions in which a low score is good. The intervals are from the first 10,000 trials at most.

    Craswell et al. 2021, MS MARCO: Benchmarking ranking models in the large-data regime, section 3.2 and figure 4,
    https://doi.org/10.1145/3404835.3462804; Kendall 1945, https://doi.org/10.1093/biomet/33.3.239

    >>> values = np.array([[1, 1, 0], [0.5, 0.5, 0.5], [1, 0.5, 0], [0, 1, 0.5], [1, 0.5, 0]])
    >>> names = {"query_ids": tuple("abcde"), "runs": ("oak", "ash", "fir")}
    >>> first = Scores(measure="RR@10", values=values, **names)
    >>> result = generalization({"RR": first, "found": Scores(measure="R@10", values=np.ceil(values), **names)})
    >>> result.expected_ranks.round(1).tolist(), result.taus[0].round(2).tolist()
    ([[1.5, 2.0], [1.5, 1.2], [3.0, 2.9]], [1.0, 0.82])
    """
    check_sampling(seed, trials)
    boards = _aligned(conditions)
    unknown = set(best_is_low) - set(boards)
    if unknown:
        raise UsageError(f"best_is_low names {sorted(unknown)}; expected conditions, of {', '.join(boards)}")
    query_sets: dict[tuple[str, ...], int] = {}
    stabilities: list[StabilityResult] = []
    starts: list[NDArray[np.int32]] = []
    for name, scores in boards.items():
        number = query_sets.setdefault(tuple(scores.query_ids), len(query_sets))
        grid = make_grid(scores, best_is_low=name in best_is_low)
        result, kept = redraw_board(scores, grid, trials=trials, seed=seed, query_set=number)
        stabilities.append(result)
        starts.append(kept)
    expected = np.stack([result.expected_ranks for result in stabilities], axis=1)
    doubled = [(2 * result.ranks[None, :]).astype(np.int32) for result in stabilities]  # ranks may end in .5
    taus = np.empty((len(boards), len(boards)))
    intervals = np.empty((*taus.shape, 2))
    for i in range(len(boards)):
        for j in range(i, len(boards)):
            taus[i, j] = taus[j, i] = tau_b(doubled[i], doubled[j])[0]
            intervals[i, j] = intervals[j, i] = percentiles(tau_b(starts[i], starts[j])[:, None])[:, 0]
    return GeneralizationResult(
        conditions=tuple(boards),
        runs=stabilities[0].runs,
        trials=trials,
        seed=seed,
        stabilities=tuple(stabilities),
        expected_ranks=expected,
        spreads=np.ptp(expected, axis=1),
        taus=taus,
        tau_ci95=intervals,
    )


def tau_b(first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.float64]:
    """Kendall's tau-b of two orders of the same runs, per row.

        tau-b = sum of s t / sqrt(sum of s^2 x sum of t^2) over pairs of runs, s and t the signs of their differences

    A pair tied in one order adds 0. Where all runs tie in an order nothing agrees or disagrees, and tau-b is 0.
    """
    runs = first.shape[1]
    i, j = np.triu_indices(runs, 1)
    taus = np.empty(len(first))
    size = max(1, BLOCK_CELLS // max(len(i), 1))
    for row in range(0, len(first), size):
        s, t = (_signs(order[row : row + size], i, j) for order in (first, second))
        agreeing = (s * t).sum(axis=1, dtype=np.int64)
        pairs = np.count_nonzero(s, axis=1) * np.count_nonzero(t, axis=1)
        taus[row : row + size] = agreeing / np.sqrt(np.maximum(pairs, 1))
    return taus


def _signs(order: NDArray[np.int32], i: NDArray[np.intp], j: NDArray[np.intp]) -> NDArray[np.int8]:
    """Whether run j is behind run i, 1, or ahead of it, -1, or tied, 0; rows x pairs."""
    left, right = order[:, i], order[:, j]
    return (left < right).astype(np.int8) - (left > right).astype(np.int8)


def _aligned(conditions: Mapping[str, Scores]) -> dict[str, Scores]:
    """The conditions with their runs in the same order and, where the queries are the same, these too."""
    if len(conditions) < 2:
        raise UsageError(f"there are {len(conditions)} conditions; expected two or more; name another one")
    runs = next(iter(conditions.values())).runs
    if len(runs) < 2:
        raise UsageError(f"the board has {len(runs)} run; expected two or more, since orders are compared")
    orders: dict[frozenset[str], tuple[str, ...]] = {}
    aligned = {}
    for name, scores in conditions.items():
        if sorted(scores.runs) != sorted(runs):
            odd = sorted(set(scores.runs) ^ set(runs))
            raise UsageError(
                f"condition '{name}' has not the runs of the first one: {', '.join(odd[:5])} in one of them only; "
                "expected the same runs; score all runs under every condition"
            )
        query_ids = orders.setdefault(frozenset(scores.query_ids), tuple(scores.query_ids))
        columns = [scores.runs.index(run) for run in runs]
        place = {query_id: row for row, query_id in enumerate(scores.query_ids)}
        values = scores.values[np.ix_([place[query_id] for query_id in query_ids], columns)]
        aligned[name] = Scores(measure=scores.measure, query_ids=query_ids, runs=runs, values=values)
    return aligned
