import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.significance import Randomization, tukey_hsd
from runoff.significance._resampling import TUKEY_HSD
from runoff.significance.tukey_hsd import _hits
from tests.significance.cases import board


def largest_t(rows, pairs):
    """The largest |t| of these pairs of columns by plain arithmetic: 0 for equal means, infinite for a constant."""
    largest = 0.0
    for i, j in pairs:
        differences = [float(row[j]) - float(row[i]) for row in rows]
        mean = sum(differences) / len(differences)
        squares = sum((one - mean) ** 2 for one in differences)
        if abs(mean) > 1e-12:
            error = math.sqrt(squares / (len(differences) - 1) / len(differences))
            largest = max(largest, abs(mean) / error if error > 1e-12 else math.inf)
    return largest


ALL_PAIRS = tuple(itertools.combinations(range(3), 2))


@pytest.mark.parametrize(
    "scores",
    [
        [[0.1, 0.1, 0.9], [0.2, 0.3, 0.8], [0.1, 0.0, 0.7], [0.3, 0.3, 1.0]],
        [[0.1, 0.2, 0.5], [0.3, 0.4, 0.1], [0.6, 0.7, 0.4], [0.2, 0.3, 0.9]],  # a constant difference of two runs
        [[0.3, 0.2, 0.0], [0.1, 0.2, 0.5], [0.5, 0.5, 0.2], [0.2, 0.2, 0.4]],  # equal means of two runs
    ],
)
def test_equals_all_permutations(scores):
    every = [largest_t(rows, ALL_PAIRS) for rows in itertools.product(*map(itertools.permutations, scores))]
    result = tukey_hsd(scores, trials=5_000, seed=1)
    for i, j in ALL_PAIRS:
        own = largest_t(scores, [(i, j)])
        exact = np.mean(np.array(every) >= own * (1 - 1e-9))
        assert result.p[i, j] == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / 5_000) + 1e-4)


@pytest.mark.parametrize("close", [1.0, 1e-4, 1e-6])
def test_equals_a_slow_loop_over_the_same_trials(close):
    rng = np.random.default_rng(4)
    scores = rng.normal(size=(6, 1)) + rng.normal(size=(6, 3)) * np.array([close, close, 1.0])
    every = []
    for trial in range(300):
        sequence = np.random.SeedSequence(7, spawn_key=(TUKEY_HSD, trial))
        every.append(largest_t(np.random.Generator(np.random.PCG64(sequence)).permuted(scores, axis=1), ALL_PAIRS))
    result = tukey_hsd(scores, trials=300, seed=7)
    for i, j in ALL_PAIRS:
        hits = (np.array(every) >= largest_t(scores, [(i, j)]) * (1 - 1e-6)).sum()
        assert result.p[i, j] == (hits + 1) / 301


def test_two_runs_are_the_randomization_test():
    scores = np.random.default_rng(0).normal([0.0, 0.3], 1.0, size=(40, 2))
    expected = Randomization().compare(scores[:, 0], scores[:, 1], trials=20_000).p
    assert tukey_hsd(scores, trials=20_000).p[0, 1] == pytest.approx(expected, abs=0.02)


def test_result_is_sound():
    scores = board(200, 6)
    result = tukey_hsd(scores, trials=99)
    assert ((result.p > 0) & (result.p <= 1)).all()
    assert (np.diag(result.p) == 1.0).all()
    np.testing.assert_array_equal(result.p, result.p.T)
    np.testing.assert_allclose(result.effect, scores.mean(axis=0) - scores.mean(axis=0)[:, None])
    assert (result.n, result.trials, result.seed, result.family.size) == (200, 99, 0, 15)


@settings(max_examples=15)
@given(block=st.integers(1, 60), seed=st.integers(0, 2**40))
def test_blocks_do_not_change_the_result(block, seed):
    scores = board(40, 5)
    np.testing.assert_array_equal(_hits(scores, seed, 50, block), _hits(scores, seed, 50, 50))


def test_identical_runs_have_a_p_of_one():
    assert (tukey_hsd(np.tile(board(30, 1), (1, 4)), trials=20).p == 1.0).all()


def test_equal_means_have_a_p_of_one_and_a_constant_difference_the_smallest():
    hard = np.random.default_rng(2).random(40)
    scores = np.column_stack([hard, hard[::-1], hard + 0.01])
    result = tukey_hsd(scores, trials=99)
    assert result.p[0, 1] == 1.0
    assert result.p[0, 2] == result.p[2, 0] == 0.01
    twice = tukey_hsd(np.column_stack([hard, hard]), trials=99)
    assert (twice.p == 1.0).all()


def test_rounding_noise_is_no_difference():
    # The first two runs have the same scores but for the last bit, which always favours the second.
    third = np.array([0.6, 0.2, 0.4, 0.5, 0.1, 0.7])
    exact, noisy = tukey_hsd(np.column_stack([[0.3] * 6, [0.3] * 6, third])), np.array([[0.3, 0.1 + 0.2]] * 6)
    result = tukey_hsd(np.column_stack([noisy, third]))
    assert result.p[0, 1] == 1.0
    np.testing.assert_array_equal(result.p, exact.p)


def test_one_run_and_one_query():
    assert tukey_hsd([[0.3], [0.4]], trials=9).p.tolist() == [[1.0]]
    assert (tukey_hsd([[0.3, 0.5, 0.4]], trials=9).p[0, 1]) == 1.0


def test_family_wise_error_is_bounded():
    # No run is better: in at most about 5% of the boards may any pair have p < 0.05; 4 standard errors are allowed.
    rng = np.random.default_rng(5)
    alarms = sum((tukey_hsd(rng.normal(size=(20, 6)), trials=99, seed=k).p <= 0.05).any() for k in range(300))
    assert alarms / 300 <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 300)


def test_near_copies_do_not_make_other_runs_alarm():
    """Six runs that are nearly the same and two others, all with equal means: only the largest t keeps the level."""
    rng = np.random.default_rng(6)
    boards, plain, studentised = 300, 0, 0
    for seed in range(boards):
        scores = rng.normal(size=(50, 1)) + rng.normal(size=(50, 8)) * np.array([0.05] * 6 + [1.0] * 2)
        ranges = [np.ptp(rng.permuted(scores, axis=1).mean(axis=0)) for _ in range(39)]
        plain += (np.sum(ranges >= np.ptp(scores.mean(axis=0))) + 1) / 40 <= 0.05
        studentised += bool((tukey_hsd(scores, trials=39, seed=seed).p <= 0.05).any())
    assert plain / boards > 0.1
    assert studentised / boards == pytest.approx(0.05, abs=4 * math.sqrt(0.05 * 0.95 / boards))


def test_bad_input_is_refused():
    with pytest.raises(UsageError, match="queries in rows and runs in columns"):
        tukey_hsd([0.1, 0.2])
    with pytest.raises(UsageError, match="1 of the 4 scores"):
        tukey_hsd([[0.1, np.nan], [0.1, 0.2]])
    with pytest.raises(UsageError, match="trials=0"):
        tukey_hsd([[0.1, 0.2]], trials=0)
