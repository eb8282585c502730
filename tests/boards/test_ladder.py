"""The Ladder: the rule by hand, and what a team can learn from it."""

import numpy as np
import pytest

from runoff.boards import ladder
from runoff.errors import UsageError
from tests.boards.matrices import board


def test_a_clear_step_is_shown_and_noise_is_not():
    rng = np.random.default_rng(0)
    base = rng.random(200)
    values = np.column_stack([base, base + rng.normal(0.001, 0.2, 200), base + 0.3, base])
    rungs = ladder(board(values), ["r0", "r1", "r2", "r3"])
    assert [rung.moved for rung in rungs] == [True, False, True, False]
    assert rungs[3].shown == rungs[2].shown == pytest.approx(values[:, 2].mean())
    assert rungs[1].mean == pytest.approx(values[:, 1].mean())


def test_the_bar_is_the_standard_error_of_the_difference():
    base = np.zeros(4)
    better = np.array([0.4, 0.0, 0.4, 0.0])  # mean 0.2, standard error 0.1155
    assert ladder(board(np.column_stack([base, better])), ["r0", "r1"])[1].moved
    noisy = np.array([1.0, -0.6, 0.8, -0.4])  # mean 0.2, standard error 0.41
    assert not ladder(board(np.column_stack([base, noisy])), ["r0", "r1"])[1].moved


def test_low_is_good():
    values = np.column_stack([np.full(5, 3.0), np.full(5, 2.0)])
    assert ladder(board(values), ["r0", "r1"], best_is_low=True)[1].moved
    assert not ladder(board(values), ["r0", "r1"])[1].moved


def test_shown_scores_never_get_worse_and_random_tries_move_little():
    rng = np.random.default_rng(1)
    values = rng.normal(0, 1, (500, 60))
    rungs = ladder(board(values), [f"r{place}" for place in range(60)])
    shown = [rung.shown for rung in rungs]
    assert shown == sorted(shown)
    assert sum(rung.moved for rung in rungs) <= 6
    assert max(rung.mean for rung in rungs) >= shown[-1]


def test_unknown_and_repeated_names_are_refused():
    for names in ([], ["r9"], ["r0", "r0"]):
        with pytest.raises(UsageError, match="each once"):
            ladder(board([[0.1, 0.2]]), names)
