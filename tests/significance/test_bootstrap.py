import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from runoff.significance import Bootstrap
from runoff.significance._resampling import draws, on_grid
from runoff.significance.bootstrap import bootstrap_sums, symmetric_interval
from tests.significance.cases import paired_scores


def test_equals_a_plain_loop():
    differences = np.random.default_rng(1).normal(0.2, 1, size=50)
    mean = differences.mean()
    means = np.array([differences[draws(3, trial, 1, 50)[0]].mean() for trial in range(399)])
    hits = (np.abs(means - mean) >= abs(mean) - 1e-9).sum()
    result = Bootstrap().compare(np.zeros(50), differences, seed=3, trials=399)
    assert result.p == (hits + 1) / 400
    half = np.sort(np.abs(means - mean))[-19]  # of 399 trials, a hit in 19 is p = 0.05
    np.testing.assert_allclose(result.effect_ci95, (mean - half, mean + half), rtol=1e-9)


def test_interval_comes_near_students():
    differences = np.random.default_rng(2).normal(0.3, 1.0, size=200)
    expected = stats.ttest_1samp(differences, 0.0).confidence_interval()
    result = Bootstrap().compare(np.zeros(200), differences)
    np.testing.assert_allclose(np.array(result.effect_ci95), np.array([expected.low, expected.high]), atol=0.01)


@given(scores=paired_scores(max_size=30), trials=st.integers(1, 450), seed=st.integers(0, 5))
def test_p_and_interval_agree_about_0(scores, trials, seed):
    result = Bootstrap().compare(*scores, trials=trials, seed=seed)
    low, high = result.effect_ci95
    assert (low > 0.0 or high < 0.0) == (result.p < 0.05)
    if np.isfinite(low):
        assert (low + high) / 2 == pytest.approx(result.effect, abs=1e-12)


@pytest.mark.parametrize("trials", [1, 18, 19, 20, 21, 38, 39, 40, 41, 99, 399, 1000])
@pytest.mark.parametrize("champion, challenger", [(0.3, 0.3), (0.1, 0.4), (0.4, 0.1), (0.2, 0.3)])
def test_p_and_interval_agree_where_all_differences_are_the_same(trials, champion, challenger):
    result = Bootstrap().compare([champion] * 6, [challenger] * 6, trials=trials)
    low, high = result.effect_ci95
    assert result.p == (1.0 if champion == challenger else 1 / (trials + 1))
    assert (low > 0.0 or high < 0.0) == (result.p < 0.05)


def test_p_and_interval_agree_where_deviations_tie_with_the_mean():
    # Differences of few values: many samples deviate by just the mean, and float64 has it above or below.
    rng = np.random.default_rng(0)
    near = 0
    for seed in range(300):
        first, second = rng.integers(0, 4, size=(2, 8)) / 10 + 0.1
        result = Bootstrap().compare(first, second, trials=199, seed=seed)
        low, high = result.effect_ci95
        assert (low > 0.0 or high < 0.0) == (result.p < 0.05)
        near += 0.0 in (low, high) and low != high
    assert near > 5  # 0 is an end of the interval


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


def test_interval_of_few_trials_is_the_whole_line():
    assert symmetric_interval(0.5, np.zeros(19)) == (-np.inf, np.inf)
    assert symmetric_interval(-0.5, np.linspace(-0.5, 0.4, 20)) == (-1.4, 0.4)


def test_interval_leaves_out_one_in_twenty():
    assert symmetric_interval(0.0, np.arange(10_000.0)) == (-9_500.0, 9_500.0)


def test_interval_holds_the_truth_in_94_percent():
    rng = np.random.default_rng(9)
    held = 0
    for seed in range(600):
        low, high = Bootstrap().compare(np.zeros(50), rng.normal(size=50), trials=199, seed=seed).effect_ci95
        held += low <= 0.0 <= high
    assert 0.91 <= held / 600 <= 0.97


def test_sums_are_exact():
    values = np.random.default_rng(0).random(6980)
    whole, exponent = on_grid(values, 6980)
    assert (whole == np.rint(whole)).all()
    assert np.abs(whole).sum() < 2**52
    assert sum(int(value) for value in whole) == int(whole.sum())
    assert np.ldexp(whole, -exponent) == pytest.approx(values, abs=1e-11)
