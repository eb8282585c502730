"""Scores of few values as codes: the values and differences come back from them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from runoff.significance import PackedSplits, ScoreTable, half_sums, score_table, split_sums
from runoff.significance.all_pairs import MOST_DISTINCT


def found(scores) -> ScoreTable:
    table = score_table(scores)
    assert table is not None
    return table


@given(st.integers(0, 10**6), st.integers(1, 12))
def test_codes_give_back_scores_and_differences(seed, values):
    scores = np.random.default_rng(seed).choice(1 / np.arange(1, values + 1), size=(300, 3))
    table = found(scores)
    codes = table.codes(scores)
    np.testing.assert_array_equal(table.values[codes].T, scores)
    pair = table.pair(codes[0], codes[2])
    signed = np.concatenate([[0.0], table.sizes, -table.sizes])
    assert table.width == len(signed)
    np.testing.assert_allclose(signed[pair], scores[:, 2] - scores[:, 0], rtol=0, atol=1e-12)


def test_equal_differences_are_one_size_whatever_float64_says():
    table = found(np.array([[0.1, 0.2], [0.2, 0.3], [0.3, 0.1]]))
    assert table.sizes == pytest.approx([0.1, 0.2])


def test_the_smallest_type_that_holds_them():
    assert found(np.arange(200.0).reshape(100, 2)).codes(np.zeros((1, 2))).dtype == np.uint8
    assert found(np.arange(300.0).reshape(150, 2)).codes(np.zeros((1, 2))).dtype == np.uint16


def test_too_many_values_have_no_table():
    assert score_table(np.arange(MOST_DISTINCT + 2.0).reshape(-1, 2)) is None
    assert score_table(np.random.default_rng(0).random((50, 2))) is None  # 4,950 sizes for 50 queries


@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(1, 300), st.integers(1, 9), st.integers(1, 50))
def test_the_same_as_split_by_split(seed, splits, queries, width, cells):
    generator = np.random.default_rng(seed)
    in_first, codes = generator.random((splits, queries)) < 0.5, generator.integers(0, width, queries)
    expected = np.stack([np.bincount(codes[kept], minlength=width) for kept in in_first])
    packed = PackedSplits.of(in_first)
    np.testing.assert_array_equal(packed.counts(codes, width), expected)
    parts = list(packed.parts(cells))
    assert parts[0][0].start == 0
    assert parts[-1][0].stop == splits
    np.testing.assert_array_equal(np.concatenate([part.counts(codes, width) for _, part in parts]), expected)


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
        patched.setattr(split_sums, "STRETCH", stretch)
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
