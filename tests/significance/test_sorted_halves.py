"""Sums of both halves of many splits from sorted scores: the same as each half by itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from runoff.significance import half_sums, sorted_halves


def slow_sums(champion, challenger, size):
    """What the tests need, one after the other, by counting and by scipy."""
    differences = challenger - champion
    whole = np.rint(differences / (1e-10 * (size or 1.0)))
    moved = whole[whole != 0]
    ranks = stats.rankdata(np.abs(moved))
    above = (challenger[:, None] > champion).sum() + 0.5 * (challenger[:, None] == champion).sum()
    shared = [
        sum(int(t) ** 3 - int(t) for t in np.unique(values, return_counts=True)[1])
        for values in (np.abs(moved), np.concatenate([champion, challenger]))
    ]
    spread = differences.std(ddof=1)
    t = 0.0 if not differences.any() else differences.mean() / spread * np.sqrt(len(differences)) if spread else np.inf
    return [(moved > 0).sum(), (moved < 0).sum(), ranks[moved > 0].sum(), shared[0], t, above, shared[1]]


coarse = arrays(np.float64, 30, elements=st.integers(0, 6).map(lambda value: value / 4))
fine = arrays(np.float64, 30, elements=st.integers(0, 10**6).map(lambda value: value / 10**6))


@given(st.one_of(coarse, fine), st.one_of(coarse, fine), st.integers(0, 999), st.sampled_from([1, 3, 8192]))
def test_the_same_as_each_half_by_itself(champion, challenger, seed, stretch):
    in_first = np.random.default_rng(seed).permuted(np.tile(np.arange(30) < 13, (4, 1)), axis=1)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sorted_halves, "STRETCH", stretch)
        found = half_sums(champion, challenger, in_first)
    for split, first in enumerate(in_first):
        for half, kept in enumerate((first, ~first)):
            expected = slow_sums(champion[kept], challenger[kept], max(champion.max(), challenger.max()))
            sums = found[:, half, split].tolist()
            assert [*sums[:4], *sums[5:]] == [*expected[:4], *expected[5:]]
            if np.ptp(challenger[kept] - champion[kept]) > 1e-6:
                assert sums[4] == pytest.approx(expected[4], rel=1e-9, abs=1e-9)


@given(coarse, fine)
def test_runs_that_change_places(champion, challenger):
    in_first = np.random.default_rng(0).permuted(np.tile(np.arange(30) < 15, (3, 1)), axis=1)
    one, other = half_sums(champion, challenger, in_first), half_sums(challenger, champion, in_first)
    moved = one[0] + one[1]
    assert np.array_equal(other[[0, 1, 3, 6]], one[[1, 0, 3, 6]])
    assert np.array_equal(one[2] + other[2], moved * (moved + 1) / 2)
    assert np.array_equal(one[5] + other[5], np.full((2, 3), 15.0**2))
    np.testing.assert_allclose(other[4], -one[4], rtol=1e-9)


def test_equal_runs_and_equal_differences():
    scores, in_first = np.arange(12.0), np.arange(12)[None, :] < 6
    same, apart = half_sums(scores, scores, in_first), half_sums(scores, scores + 2.0, in_first)
    assert same[:, :, 0].T.tolist() == [[0, 0, 0, 0, 0, 18, 36]] * 2
    assert apart[[0, 2, 3, 4], :, 0].T.tolist() == [[6, 21, 210, np.inf]] * 2


def test_a_half_of_another_size_than_the_other():
    """One large difference in the first half takes no digits from the second."""
    generator = np.random.default_rng(1)
    for size in (1e-4, 1e-7, 1e-9):
        differences = np.append(1.0, generator.normal(size / 9, size, 119))
        in_first = np.arange(120)[None, :] < 60
        found = half_sums(np.zeros(120), differences, in_first)
        assert found[4, 1, 0] == pytest.approx(stats.ttest_1samp(differences[60:], 0.0).statistic, rel=1e-9)
