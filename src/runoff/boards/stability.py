"""Stability: how the ranks of a board change when its queries are resampled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from runoff.boards._bootstrap import BLOCK_CELLS, IntegerScores, make_grid, places, redraws
from runoff.boards._spread import Progress, Spread
from runoff.significance import check_sampling
from runoff.tables.read_only import ReadOnlyArrays
from runoff.tables.scores import Scores

TAIL = 0.025  # the share of trials that a 95% interval may leave out at either end
ROUNDING = 1e-12  # shares are sums of fractions such as 1/3


class RankTally:
    """Counts over trials; in whole numbers, so the order of the blocks does not matter, nor their size.

    Trials in which s runs share places k + 1 to k + s are counted by run and k, apart for each s; the shares 1/s are
    taken at the end. Memory grows with runs squared times the sizes of ties that occur, and not with the trials.
    """

    def __init__(self, runs: int) -> None:
        self._runs = runs
        self._trials = 0
        self._starts: dict[int, NDArray[np.int64]] = {1: np.zeros((runs, runs), dtype=np.int64)}
        self._ahead = np.zeros((runs, runs), dtype=np.int64)

    def add(self, starts: NDArray[np.intp], sizes: NDArray[np.intp]) -> None:
        """Count a block of trials: per trial and run, how many are better, and how many are tied."""
        runs = self._runs
        self._trials += len(starts)
        cells = starts + np.arange(0, runs * runs, runs)
        for size in np.flatnonzero(np.bincount(sizes.ravel())).tolist():
            counts = np.bincount(cells[sizes == size], minlength=runs * runs).reshape(runs, runs)
            self._starts[size] = self._starts.get(size, 0) + counts
        columns = np.ascontiguousarray(starts.T, dtype=np.int16 if runs < 2**15 else np.int32)
        no_ties = bool((sizes == 1).all())
        for run, ranks in enumerate(columns):
            ahead = np.count_nonzero(ranks < columns[run + 1 :], axis=1)
            behind = len(starts) - ahead if no_ties else np.count_nonzero(ranks > columns[run + 1 :], axis=1)
            self._ahead[run, run + 1 :] += ahead
            self._ahead[run + 1 :, run] += behind

    def rank_probabilities(self) -> NDArray[np.float64]:
        """P(run at rank j), runs x ranks."""
        shares = np.zeros((self._runs, self._runs))
        for size in sorted(self._starts):
            totals = np.cumsum(self._starts[size], axis=1)
            totals[:, size:] -= totals[:, :-size].copy()  # the trials whose `size` places include this one
            shares += totals / size
        shares /= self._trials
        return shares

    def expected_ranks(self) -> NDArray[np.float64]:
        """The mean rank of each run; a run among s at places k + 1 to k + s has rank k + (s + 1) / 2."""
        doubled = np.zeros(self._runs, dtype=np.int64)
        for size, counts in self._starts.items():
            doubled += counts @ (2 * np.arange(self._runs) + size + 1)
        return doubled / (2 * self._trials)

    def beats(self) -> NDArray[np.float64]:
        """P(run i ahead of run j), runs x runs; ties count one half, and a run ties with itself."""
        share: NDArray[np.float64] = (self._ahead - self._ahead.T + self._trials) / (2 * self._trials)
        return share


def rank_intervals(rank_probabilities: NDArray[np.float64]) -> NDArray[np.int64]:
    """From the highest to the lowest rank, runs x 2, leaving out at most 2.5% at either end.

    >>> rank_intervals(np.array([[0.98, 0.02, 0.0], [0.02, 0.9, 0.08]])).tolist()
    [[1, 1], [2, 3]]
    """
    above = np.cumsum(rank_probabilities, axis=1)
    below = np.cumsum(rank_probabilities[:, ::-1], axis=1)
    low = 1 + (above <= TAIL + ROUNDING).sum(axis=1)
    high = rank_probabilities.shape[1] - (below <= TAIL + ROUNDING).sum(axis=1)
    return np.stack([low, high], axis=1).astype(np.int64)


KEPT_TRIALS = 10_000  # intervals of means are from this many trials at most, so memory does not grow with the trials


@dataclass(frozen=True, eq=False, kw_only=True)
class StabilityResult(ReadOnlyArrays):
    """Ranks of the runs of a board over bootstrap samples of its queries; arrays are in the order of `runs`.

    means               mean score per run; mean_ci95 its 95% percentile interval, runs x 2
    ranks               rank of the mean over all queries, from 1; runs that tie share the mean of their places
    rank_probabilities  P(run at rank j), runs x ranks; runs that tie share the tied places equally
    expected_ranks      mean rank per run
    rank_intervals      the ranks of 95% of the samples, runs x 2 whole numbers; no confidence interval, see `rank_sets`
    beats               P(run i ahead of run j), runs x runs; ties count one half
    drawn_means         mean scores in the first 10,000 trials at most, trials x runs
    """

    measure: str
    runs: tuple[str, ...]
    queries: int
    trials: int
    seed: int
    means: NDArray[np.float64]
    mean_ci95: NDArray[np.float64]
    ranks: NDArray[np.float64]
    rank_probabilities: NDArray[np.float64]
    expected_ranks: NDArray[np.float64]
    rank_intervals: NDArray[np.int64]
    beats: NDArray[np.float64]
    drawn_means: NDArray[np.float64]

    @property
    def p_first(self) -> NDArray[np.float64]:
        """P(run at rank 1), per run."""
        first: NDArray[np.float64] = self.rank_probabilities[:, 0]
        return first

    @property
    def first_more_often(self) -> int | None:
        """The place of the run that is first more often than the leader, whose lead may then be luck; else None."""
        most = int(np.argmax(self.p_first))
        return most if self.p_first[most] > self.p_first[self.order[0]] else None

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The places of the runs in the arrays, best mean first; runs that tie are in the order of their names."""
        return tuple(sorted(range(len(self.runs)), key=lambda place: (self.ranks[place], self.runs[place])))

    def tied_at(self, digits: int, *, best_is_low: bool = False) -> StabilityResult:
        """The same where runs tie whose means agree to this many digits.

        >>> values = np.array([[0.52, 0.48], [0.5, 0.49]])
        >>> result = stability(Scores(measure="RR@10", query_ids=("1", "2"), runs=("b", "a"), values=values))
        >>> result.leaders, result.tied_at(1).leaders
        (('b',), ('a', 'b'))
        """
        means = self.means.round(digits)
        _, places, counts = np.unique(means if best_is_low else -means, return_inverse=True, return_counts=True)
        ranks = np.cumsum(counts) - (counts - 1) / 2
        return replace(self, ranks=ranks[places])

    @property
    def leaders(self) -> tuple[str, ...]:
        """The run with the best mean, or all that tie for it, by name."""
        order = self.order
        return tuple(self.runs[place] for place in order if self.ranks[place] == self.ranks[order[0]])


def stability(
    scores: Scores,
    *,
    trials: int = 1000,
    seed: int = 0,
    best_is_low: bool = False,
    spread: Spread | None = None,
    progress: Progress | None = None,
) -> StabilityResult:
    """Rank the runs of a board by mean score in bootstrap samples of the queries.

        in each trial as many queries as the board has are drawn with replacement, the same for all runs

    Runs tie when their means are equal up to rounding. Give `best_is_low` for a measure such as ESL. The interval of a
    mean is from the first 10,000 trials at most, all else from all of them; memory does not grow with the trials.
    `spread` does the drawing by blocks of queries, on a cluster for one, with the same result to the last bit;
    `progress` is called with how much of it is done, and of how much.

    Craswell et al. 2021, MS MARCO: Benchmarking ranking models in the large-data regime, section 3.1,
    https://doi.org/10.1145/3404835.3462804; the bootstrap: Efron & Tibshirani 1993, https://doi.org/10.1201/9780429246593

    >>> values = np.array([[1, 1, 0], [0.5, 0.5, 0.5], [1, 0.5, 0], [0, 1, 0.5], [1, 0.5, 0]])
    >>> scores = Scores(measure="RR@10", query_ids=tuple("abcde"), runs=("oak", "ash", "fir"), values=values)
    >>> result = stability(scores)
    >>> result.p_first.round(2).tolist(), result.expected_ranks.round(2).tolist()
    ([0.53, 0.47, 0.0], [1.51, 1.54, 2.95])
    >>> result.rank_intervals.tolist()
    [[1, 3], [1, 2], [2, 3]]
    """
    check_sampling(seed, trials)
    grid = make_grid(scores, best_is_low=best_is_low)
    return redraw_board(scores, grid, trials=trials, seed=seed, spread=spread, progress=progress)


def redraw_board(
    scores: Scores,
    grid: IntegerScores,
    *,
    trials: int,
    seed: int,
    query_set: int = 0,
    block_cells: int = BLOCK_CELLS,
    spread: Spread | None = None,
    progress: Progress | None = None,
) -> StabilityResult:
    """The stability of a board on its grid.

    Boards of the same `query_set` and as many queries draw the same queries in each trial.
    """
    tally = RankTally(len(scores.runs))
    kept_sums: list[NDArray[np.float64]] = []
    room = KEPT_TRIALS
    for sums in redraws(
        grid, trials=trials, seed=seed, query_set=query_set, block_cells=block_cells, spread=spread, progress=progress
    ):
        starts, sizes = places(sums, grid.tolerance)
        tally.add(starts, sizes)
        kept_sums.append(sums[:room].copy())
        room -= len(kept_sums[-1])
    totals, drawn = grid.totals(), np.concatenate(kept_sums)
    starts, sizes = places(totals[None, :], grid.tolerance)
    ranks = starts[0] + (sizes[0] + 1) / 2
    chances = tally.rank_probabilities()
    return StabilityResult(
        measure=scores.measure,
        runs=scores.runs,
        queries=len(scores.query_ids),
        trials=trials,
        seed=seed,
        means=scores.means,
        mean_ci95=np.sort(grid.means(percentiles(drawn)), axis=0).T.copy(),
        ranks=ranks,
        rank_probabilities=chances,
        expected_ranks=tally.expected_ranks(),
        rank_intervals=rank_intervals(chances),
        beats=tally.beats(),
        drawn_means=grid.means(drawn),
    )


def percentiles(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values at the two places of the order that cut off 2.5% each, 2 x columns; of few trials, their range."""
    place = max(int(0.025 * (len(values) + 1)) - 1, 0)
    edges = [place, len(values) - 1 - place]
    ordered: NDArray[np.float64] = np.partition(values, edges, axis=0)[edges]
    return ordered
