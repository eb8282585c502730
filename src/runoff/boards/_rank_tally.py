"""How often each run was at each rank and ahead of each other run, counted in whole numbers, block after block."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
        for run, places in enumerate(columns):
            ahead = np.count_nonzero(places < columns[run + 1 :], axis=1)
            behind = len(starts) - ahead if no_ties else np.count_nonzero(places > columns[run + 1 :], axis=1)
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
