"""The winner's score: what is left of its optimism on boards with a known truth."""

import numpy as np
import pytest

from runoff.boards import winner
from runoff.errors import UsageError
from tests.boards.matrices import board


def bias(step, boards, rng, queries=100, runs=10):
    """Mean (score - truth) and (corrected - truth) of the winners, and how often the interval holds the truth."""
    truth = -step * np.arange(runs)
    found = []
    for _ in range(boards):
        ability = rng.normal(0, 1, (queries, 1))
        values = ability + rng.normal(0, 1, (queries, runs)) + truth
        result = winner(board(values), trials=200)
        true = truth[int(result.run[1:])]
        found.append((result.score - true, result.corrected - true, result.ci95[0] <= true <= result.ci95[1]))
    return np.mean(found, axis=0)


@pytest.mark.parametrize("step", [0.0, 0.05])
def test_most_of_the_optimism_is_gone(step):
    plain, corrected, _ = bias(step, 120, np.random.default_rng(0))
    assert plain > 0.05
    assert abs(corrected) < 0.5 * plain


def test_a_clear_winner_is_left_alone():
    values = np.random.default_rng(1).random((200, 3)) + np.array([0, 0, 5])
    result = winner(board(values), trials=200)
    assert result.run == "r2"
    assert result.corrected == pytest.approx(result.score, abs=0.01)
    assert result.ci95[0] < result.corrected < result.ci95[1]


def test_low_is_good_mirrors():
    values = np.random.default_rng(2).random((80, 5))
    high, low = winner(board(values), trials=100), winner(board(-values), trials=100, best_is_low=True)
    assert [low.score, low.corrected] == pytest.approx([-high.score, -high.corrected])
    assert low.ci95 == pytest.approx((-high.ci95[1], -high.ci95[0]))


def test_the_same_seed_gives_the_same_result_and_one_query_is_refused():
    values = np.random.default_rng(3).random((40, 4))
    assert winner(board(values), trials=50, seed=5) == winner(board(values), trials=50, seed=5)
    with pytest.raises(UsageError, match="one query only"):
        winner(board([[0.1, 0.2]]))


@pytest.mark.proof
@pytest.mark.parametrize("step", [0.0, 0.02, 0.05, 0.1, 0.3])
def test_bias_and_coverage_at_length(step):
    plain, corrected, held = bias(step, 1500, np.random.default_rng(4))
    print(f"step {step}: bias {plain:+.4f}, corrected {corrected:+.4f}, interval holds {held:.1%}")  # noqa: T201
    assert abs(corrected) < max(0.5 * plain, 0.02)
    assert 0.935 < held < 0.97  # Monte Carlo error 0.006
