"""The resolution of a board: pair by pair with `resolution`, and the claim by simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from runoff.boards import board_resolution, resolution
from runoff.errors import UsageError
from tests.boards.matrices import board


@pytest.mark.parametrize("best_is_low", [False, True])
def test_equals_every_pair_by_itself(best_is_low):
    values = np.random.default_rng(0).random((40, 5)) * np.array([1, 2, 1, 3, 1])
    found = board_resolution(board(values), best_is_low=best_is_low)
    pairs = [resolution(values[:, i], values[:, j]) for i in range(5) for j in range(i)]
    smallest = sorted(pair.smallest for pair in pairs)
    assert found.pairs == 10
    assert [found.easy, found.smallest, found.hard] == pytest.approx(np.quantile(smallest, [0.1, 0.5, 0.9]))
    order = np.argsort(values.mean(axis=0) * (1 if best_is_low else -1))
    top = resolution(values[:, order[1]], values[:, order[0]])
    assert (found.first, found.second) == (f"r{order[0]}", f"r{order[1]}")
    assert found.gap == pytest.approx(abs(top.difference))
    assert found.gap_needed == pytest.approx(top.needed, abs=1)
    assert found.needed(found.smallest) == pytest.approx(40, abs=1)


def test_what_the_sentence_claims_by_simulation():
    """Of pairs whose true difference is the smallest, a t test finds 80%; of those at half of it, far fewer."""
    rng = np.random.default_rng(1)
    found = board_resolution(board(rng.normal(size=(300, 6))))
    for part, power in ((1.0, 0.80), (0.5, 0.29)):
        drawn = rng.normal(part * found.smallest, math.sqrt(2), size=(2000, 300))
        share = np.mean(stats.ttest_1samp(drawn, 0, axis=1).pvalue < 0.05)
        assert share == pytest.approx(power, abs=0.05)


def test_queries_needed_by_simulation():
    rng = np.random.default_rng(2)
    found = board_resolution(board(rng.normal(size=(200, 4))))
    needed = found.needed(0.3)
    drawn = rng.normal(0.3, math.sqrt(2), size=(2000, needed))
    assert np.mean(stats.ttest_1samp(drawn, 0, axis=1).pvalue < 0.05) == pytest.approx(0.8, abs=0.08)


def test_equal_runs_and_what_is_refused():
    values = np.ones((5, 2)) * np.arange(5)[:, None]
    assert board_resolution(board(values)).gap_needed is None
    with pytest.raises(UsageError, match="two of each"):
        board_resolution(board(values[:, :1]))
    with pytest.raises(UsageError, match="above 0"):
        board_resolution(board(values)).needed(0)
