"""Power of a board: pair by pair with `score_powers`, and the claim by simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from runoff.boards import board_power, board_powers
from runoff.boards import power as power_module
from runoff.errors import UsageError
from runoff.significance import score_powers
from runoff.significance.power import TESTS, TESTS_OF_MEANS
from tests.boards.matrices import board


@pytest.mark.parametrize("best_is_low", [False, True])
def test_equals_every_pair_by_itself(best_is_low):
    values = np.random.default_rng(0).random((40, 5)) * np.array([1, 2, 1, 3, 1])
    found = board_power(board(values), best_is_low=best_is_low)
    pairs = [score_powers(values[:, i], values[:, j], tests=("t",))["t"] for i in range(5) for j in range(i)]
    smallest = sorted(pair.smallest for pair in pairs if pair.smallest is not None)
    assert found.pairs == len(smallest) == 10
    assert [found.easy, found.smallest, found.hard] == pytest.approx(np.quantile(smallest, [0.1, 0.5, 0.9]))
    order = np.argsort(values.mean(axis=0) * (1 if best_is_low else -1))
    top = score_powers(values[:, order[1]], values[:, order[0]], tests=("t",))["t"]
    assert (found.first, found.second) == (f"r{order[0]}", f"r{order[1]}")
    assert found.gap == pytest.approx(abs(top.observed))
    assert found.gap_needed == pytest.approx(top.needed, abs=1)
    assert found.needed(found.smallest) == pytest.approx(40, abs=1)


def test_what_the_sentence_claims_by_simulation():
    """Of pairs whose true difference is the smallest, a t test finds 80%; of those at half of it, far fewer."""
    rng = np.random.default_rng(1)
    found = board_power(board(rng.normal(size=(300, 6))))
    for part, power in ((1.0, 0.80), (0.5, 0.29)):
        drawn = rng.normal(part * found.smallest, math.sqrt(2), size=(2000, 300))
        share = np.mean(stats.ttest_1samp(drawn, 0, axis=1).pvalue < 0.05)
        assert share == pytest.approx(power, abs=0.05)


def test_queries_needed_by_simulation():
    rng = np.random.default_rng(2)
    found = board_power(board(rng.normal(size=(200, 4))))
    needed = found.needed(0.3)
    drawn = rng.normal(0.3, math.sqrt(2), size=(2000, needed))
    assert np.mean(stats.ttest_1samp(drawn, 0, axis=1).pvalue < 0.05) == pytest.approx(0.8, abs=0.08)


def test_equal_runs_and_what_is_refused():
    values = np.ones((5, 2)) * np.arange(5)[:, None]
    assert board_power(board(values)).gap_needed is None
    with pytest.raises(UsageError, match="two of each"):
        board_power(board(values[:, :1]))
    with pytest.raises(UsageError, match="above 0"):
        board_power(board(values)).needed(0)


VALUES = np.random.default_rng(0).random((60, 4)) * np.array([1, 2, 1, 3])


def pairs(values, **options):
    runs = values.shape[1]
    return [score_powers(values[:, i], values[:, j], **options) for i in range(runs) for j in range(i + 1, runs)]


def test_it_is_that_of_the_median_pair():
    found = board_powers(board(VALUES), difference=0.1)
    every = pairs(VALUES, difference=0.1)
    assert {power.difference for power in found.values()} == {0.1}
    for name in TESTS:
        smallest = np.median([one[name].smallest for one in every])
        assert found[name].smallest == pytest.approx(smallest), name
        wanted = np.median([one[name].needed for one in every])
        tolerance = 0.05 if name in TESTS_OF_MEANS else 1e-9  # the formula takes the middle error, not the middle need
        assert found[name].needed == pytest.approx(np.ceil(wanted), rel=tolerance, abs=1), name


@pytest.mark.parametrize("best_is_low", [False, True])
def test_without_a_difference_it_is_about_the_two_best(best_is_low):
    found = board_powers(board(VALUES), best_is_low=best_is_low)
    plain = board_power(board(VALUES), best_is_low=best_is_low)
    top = [int(plain.first[1:]), int(plain.second[1:])]
    lead = score_powers(*VALUES[:, top].T)
    for name, power in found.items():
        assert (power.observed, power.difference, power.needed) == (plain.gap, plain.gap, lead[name].needed)
    assert {found[name].smallest for name in TESTS_OF_MEANS} == {plain.smallest}


def test_many_pairs_are_drawn_by_the_seed():
    values = np.random.default_rng(1).random((12, 22))
    found = board_powers(board(values))
    assert len(power_module._drawn_pairs(22, 0)) == power_module.MOST_PAIRS < 22 * 21 / 2
    assert found == board_powers(board(values))
    other = board_powers(board(values), seed=1)
    assert other["t"].smallest == found["t"].smallest
    assert other["signed_rank"].smallest == pytest.approx(found["signed_rank"].smallest, rel=0.05)


def test_where_most_pairs_can_show_nothing():
    values = np.array([[0.0, 0.0, 0.0], [0.1, 0.2, 0.3], [0.5, 0.5, 0.5]])
    assert board_powers(board(values))["sign"].smallest is None


@pytest.mark.parametrize("difference", [0.0, -1.0, float("nan")])
def test_a_difference_is_a_number_above_0(difference):
    with pytest.raises(UsageError, match="a number above 0"):
        board_powers(board(VALUES), difference=difference)
