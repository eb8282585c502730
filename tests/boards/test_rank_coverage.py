"""How often 95% rank intervals hold the true rank, on simulated boards whose truth is known.

Neighbours are `step` standard errors of their difference apart. Ranks are whole numbers, so no interval holds the truth
95 times in 100 on every board: on boards with clear steps each rank is certain, and on boards that are nearly tied the
observed order is mostly noise, and drawing again from it adds to the noise.
"""

import numpy as np
import pytest

from runoff.boards.stability import stability
from tests.boards.redrawn import latent_board

QUERIES, RUNS = 200, 10


def coverage(step, *, rr, boards, tied_top=1, spaced=None):
    """The share of boards in which each run's interval holds a place that it truly has, per run."""
    rng = np.random.default_rng(17)
    held = np.zeros(RUNS)
    first = np.maximum(np.arange(RUNS) - tied_top + 1, 0)  # the first `tied_top` runs are equally good
    best, worst = np.where(first > 0, np.arange(RUNS), 0), np.where(first > 0, np.arange(RUNS), tied_top - 1)
    for board in range(boards):
        gaps = np.full(RUNS, step) if spaced is None else rng.exponential(step, size=RUNS)
        gaps[:tied_top] = 0.0
        shifts = -np.cumsum(gaps) * np.sqrt(2 * 0.4 / QUERIES)
        low, high = stability(latent_board(rng, QUERIES, shifts, rr=rr), trials=399, seed=board).rank_intervals.T
        held += (low <= worst + 1) & (best + 1 <= high)
    return held / boards


def check(boards):
    for rr in (False, True):
        # Four standard errors, of one run's coverage; those of a board lean on each other.
        error = 4 * np.sqrt(0.05 * 0.95 / boards / 3)
        close = coverage(0.25, rr=rr, boards=boards)
        assert 0.93 - error <= close.mean() <= 0.97 + error
        assert close[1:-1].mean() > 0.93 - error
        uneven = coverage(0.3, rr=rr, boards=boards, spaced="exponential")
        assert 0.93 - error <= uneven.mean() <= 0.98 + error
        clear = coverage(2.0, rr=rr, boards=boards)
        assert clear.min() >= 0.975 - error
        twins = coverage(2.0, rr=rr, boards=boards, tied_top=2)
        assert twins.min() >= 0.975 - error
        # The known weakness, kept here so that a change is noticed: the ends of a board that is nearly tied.
        tied = coverage(0.1, rr=rr, boards=boards)
        assert 0.87 - error <= tied.mean() <= 0.94 + error
        assert tied[0] < 0.9


def test_rank_intervals_hold_the_truth():
    check(boards=60)


@pytest.mark.proof
def test_rank_intervals_hold_the_truth_at_length():
    check(boards=1000)


def test_mean_intervals_hold_the_truth():
    rng = np.random.default_rng(3)
    shifts = np.array([0.3, 0.0])
    held = 0.0
    for board in range(400):
        low, high = stability(latent_board(rng, QUERIES, shifts, rr=False), trials=399, seed=board).mean_ci95.T
        held += ((low <= shifts) & (shifts <= high)).mean()
    assert abs(held / 400 - 0.95) < 4 * np.sqrt(0.05 * 0.95 / 400)
