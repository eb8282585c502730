import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.significance import Randomization, tukey_hsd
from runoff.significance.tukey_hsd import _hits
from tests.significance.cases import board


def test_equals_all_permutations():
    scores = np.array([[0.1, 0.1, 0.9], [0.2, 0.3, 0.8], [0.1, 0.0, 0.7], [0.3, 0.3, 1.0]])
    ranges = [np.ptp(np.mean(rows, axis=0)) for rows in itertools.product(*map(itertools.permutations, scores))]
    means = scores.mean(axis=0)
    result = tukey_hsd(scores, trials=20_000, seed=1)
    for i, j in itertools.combinations(range(3), 2):
        exact = np.mean(np.array(ranges) >= abs(means[i] - means[j]) - 1e-9)
        assert result.p[i, j] == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / 20_000) + 1e-4)


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


def test_one_run_and_one_query():
    assert tukey_hsd([[0.3], [0.4]], trials=9).p.tolist() == [[1.0]]
    assert (tukey_hsd([[0.3, 0.5, 0.4]], trials=9).p[0, 1]) == 1.0


def test_family_wise_error_is_bounded():
    # No run is better: in at most about 5% of the boards may any pair have p < 0.05; 4 standard errors are allowed.
    rng = np.random.default_rng(5)
    alarms = sum((tukey_hsd(rng.normal(size=(20, 6)), trials=99, seed=k).p <= 0.05).any() for k in range(300))
    assert alarms / 300 <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 300)


def test_bad_input_is_refused():
    with pytest.raises(UsageError, match="queries in rows and runs in columns"):
        tukey_hsd([0.1, 0.2])
    with pytest.raises(UsageError, match="1 of the 4 scores"):
        tukey_hsd([[0.1, np.nan], [0.1, 0.2]])
    with pytest.raises(UsageError, match="trials=0"):
        tukey_hsd([[0.1, 0.2]], trials=0)
