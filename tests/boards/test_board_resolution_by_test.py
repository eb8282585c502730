"""The resolution of a board by test: pair by pair with `resolution_by_test`."""

import numpy as np
import pytest

from runoff.boards import board_resolution, board_resolution_by_test, resolution_by_test
from runoff.boards.board_resolution_by_test import MOST_PAIRS
from runoff.boards.resolution_by_test import TESTS, TESTS_OF_MEANS
from runoff.errors import UsageError
from tests.boards.matrices import board

VALUES = np.random.default_rng(0).random((60, 4)) * np.array([1, 2, 1, 3])


def pairs(values, **options):
    runs = values.shape[1]
    return [resolution_by_test(values[:, i], values[:, j], **options) for i in range(runs) for j in range(i + 1, runs)]


def test_it_is_that_of_the_middle_pair():
    found = board_resolution_by_test(board(VALUES), difference=0.1)
    every = pairs(VALUES, difference=0.1)
    assert (found.pairs, found.difference) == (6, 0.1)
    for name in TESTS:
        smallest = np.median([one.smallest[name] for one in every])
        assert found.smallest[name] == pytest.approx(smallest), name
        wanted = np.median([one.needed[name] for one in every])
        tolerance = 0.05 if name in TESTS_OF_MEANS else 1e-9  # the formula takes the middle error, not the middle need
        assert found.needed[name] == pytest.approx(np.ceil(wanted), rel=tolerance, abs=1), name


@pytest.mark.parametrize("best_is_low", [False, True])
def test_without_a_difference_it_is_about_the_two_best(best_is_low):
    found = board_resolution_by_test(board(VALUES), best_is_low=best_is_low)
    plain = board_resolution(board(VALUES), best_is_low=best_is_low)
    top = [int(plain.first[1:]), int(plain.second[1:])]
    assert found.board == plain
    assert found.difference == plain.gap
    assert found.needed == resolution_by_test(*VALUES[:, top].T).needed


def test_many_pairs_are_drawn_by_the_seed():
    values = np.random.default_rng(1).random((12, 22))
    found = board_resolution_by_test(board(values))
    assert found.pairs == MOST_PAIRS < 22 * 21 / 2
    assert found == board_resolution_by_test(board(values))
    other = board_resolution_by_test(board(values), seed=1)
    assert other.smallest["t"] == found.smallest["t"]
    assert other.smallest["signed_rank"] == pytest.approx(found.smallest["signed_rank"], rel=0.05)


def test_where_most_pairs_can_show_nothing():
    values = np.array([[0.0, 0.0, 0.0], [0.1, 0.2, 0.3], [0.5, 0.5, 0.5]])
    assert board_resolution_by_test(board(values)).smallest["sign"] is None


@pytest.mark.parametrize("difference", [0.0, -1.0, float("nan")])
def test_a_difference_is_a_number_above_0(difference):
    with pytest.raises(UsageError, match="a number above 0"):
        board_resolution_by_test(board(VALUES), difference=difference)
