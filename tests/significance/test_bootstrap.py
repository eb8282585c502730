import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from runoff.significance import Bootstrap
from runoff.significance._exact_sums import on_grid
from runoff.significance._sampling import draws
from runoff.significance.bootstrap import bootstrap_sums, percentile_interval


def test_equals_a_plain_loop():
    differences = np.random.default_rng(1).normal(0.2, 1, size=50)
    mean = differences.mean()
    means = np.array([differences[draws(3, trial, 1, 50)[0]].mean() for trial in range(399)])
    hits = (np.abs(means - mean) >= abs(mean) - 1e-9).sum()
    result = Bootstrap().compare(np.zeros(50), differences, seed=3, trials=399)
    assert result.p == (hits + 1) / 400
    ordered = np.sort(means)
    np.testing.assert_allclose(result.effect_ci95, (ordered[9], ordered[389]), rtol=1e-9)


def test_interval_comes_near_scipy():
    differences = np.random.default_rng(2).exponential(size=200)
    expected = stats.bootstrap((differences,), np.mean, method="percentile", rng=0).confidence_interval
    result = Bootstrap().compare(np.zeros(200), differences)
    np.testing.assert_allclose(result.effect_ci95, expected, rtol=0.01)


@settings(max_examples=20)
@given(block_cells=st.integers(1, 5000), seed=st.integers(0, 2**64))
def test_blocks_do_not_change_the_result(block_cells, seed):
    whole, _ = on_grid(np.random.default_rng(8).normal(0.1, 1, size=130), 130)
    expected = bootstrap_sums(whole, trials=150, seed=seed)
    np.testing.assert_array_equal(bootstrap_sums(whole, trials=150, seed=seed, block_cells=block_cells), expected)


def test_equal_differences_are_as_clear_as_the_trials_allow():
    result = Bootstrap().compare([0.1] * 7, [0.4] * 7, trials=99)
    assert result.p == 0.01
    np.testing.assert_allclose(result.effect_ci95, (0.3, 0.3), rtol=1e-12)


def test_draws_reach_every_query():
    counts = np.bincount(draws(0, 0, 2000, 10).ravel(), minlength=10)
    assert len(counts) == 10
    assert np.abs(counts / 2000 - 1).max() < 0.1


def test_interval_of_few_trials_is_their_range():
    assert percentile_interval(np.array([3.0, 1.0, 2.0])) == (1.0, 3.0)


def test_interval_cuts_the_same_share_from_both_ends():
    assert percentile_interval(np.arange(999.0)) == (24.0, 974.0)


def test_sums_are_exact():
    values = np.random.default_rng(0).random(6980)
    whole, exponent = on_grid(values, 6980)
    assert (whole == np.rint(whole)).all()
    assert np.abs(whole).sum() < 2**52
    assert sum(int(value) for value in whole) == int(whole.sum())
    assert np.ldexp(whole, -exponent) == pytest.approx(values, abs=1e-11)
