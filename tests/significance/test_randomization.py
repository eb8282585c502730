import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from runoff.significance import Randomization
from runoff.significance._resampling import flips
from runoff.significance.randomization import flip_hits
from tests.significance.cases import RECIPROCALS

reciprocal_differences = st.lists(
    st.sampled_from([high - low for high in RECIPROCALS for low in RECIPROCALS]), min_size=1, max_size=9
)


@given(differences=reciprocal_differences)
def test_exact_p_equals_a_plain_loop(differences):
    observed = abs(sum(differences))
    sums = [
        abs(sum(sign * value for sign, value in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    expected = sum(total >= observed - 1e-9 for total in sums) / len(sums)
    result = Randomization().compare(np.zeros(len(differences)), differences)
    assert result.p == expected
    assert result.method == "exact"
    assert result.seed is None


def test_exact_p_equals_scipy():
    differences = np.random.default_rng(3).normal(0.4, 1, size=12)
    expected = stats.permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=5000)
    assert Randomization().compare(np.zeros(12), differences).p == pytest.approx(expected.pvalue, rel=1e-12)


def test_exact_exactly_when_all_signs_are_within_the_trials():
    differences = np.random.default_rng(4).normal(size=10)
    methods = [Randomization().compare(np.zeros(10), differences, trials=trials).method for trials in (1023, 1024)]
    assert methods == ["sampled", "exact"]


def test_zeros_do_not_cost_exactness():
    differences = np.concatenate([np.zeros(500), [0.1, 0.2, 0.3]])
    result = Randomization().compare(np.zeros(503), differences)
    assert (result.p, result.trials, result.method) == (0.25, 8, "exact")


def test_sampled_p_equals_a_plain_loop():
    differences = np.random.default_rng(5).normal(0.2, 1, size=70)
    hits = 0
    for trial in range(300):
        signs = 1.0 - 2.0 * flips(7, trial, 1, 70)[0]
        hits += abs((signs * differences).mean()) >= abs(differences.mean()) - 1e-9
    result = Randomization().compare(np.zeros(70), differences, seed=7, trials=300)
    assert result.p == (hits + 1) / 301
    assert (result.trials, result.seed) == (300, 7)


def test_sampled_p_comes_near_the_exact_one():
    differences = np.random.default_rng(6).normal(0.5, 1, size=14)
    exact = Randomization().compare(np.zeros(14), differences, trials=2**14).p
    sampled = Randomization().compare(np.zeros(14), differences, trials=2**14 - 1).p
    assert abs(sampled - exact) < 5 * np.sqrt(exact * (1 - exact) / 2**14)


@settings(max_examples=20)
@given(block_cells=st.integers(1, 5000), seed=st.integers(0, 2**64))
def test_blocks_do_not_change_the_result(block_cells, seed):
    differences = np.random.default_rng(8).normal(0.1, 1, size=130)
    whole = flip_hits(differences, trials=150, seed=seed)
    assert flip_hits(differences, trials=150, seed=seed, block_cells=block_cells) == whole


def test_seeds_differ_and_repeat():
    differences = np.random.default_rng(9).normal(0.2, 1, size=40)
    p = [Randomization().compare(np.zeros(40), differences, seed=seed).p for seed in (0, 0, 1, 2)]
    assert p[0] == p[1]
    assert len(set(p)) > 1


def test_the_stream_is_pinned():
    # A change of these bits changes every published p-value: it needs an entry in the changelog.
    assert flips(0, 0, 2, 12).tolist() == [[0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0], [0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0]]


def test_flips_are_fair():
    bits = flips(0, 0, 2000, 100)
    assert bits.mean() == pytest.approx(0.5, abs=0.005)
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 0.05
