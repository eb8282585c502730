"""The tests on both halves of many splits at once: the same as each half by itself."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.significance import (
    LEAST_QUERIES,
    half_pairs,
    rank_sum_all_pairs,
    sign_all_pairs,
    signed_rank_all_pairs,
    t_all_pairs,
)

KERNELS = {"sign": sign_all_pairs, "rank_sum": rank_sum_all_pairs, "signed_rank": signed_rank_all_pairs,
           "t": t_all_pairs}  # fmt: skip


def reciprocal_ranks(generator, queries, runs):
    ranks = generator.geometric(0.3, size=(queries, 1)) + generator.integers(-1, 3, size=(queries, runs))
    return np.where((ranks < 1) | (ranks > 10), 0.0, 1.0 / np.maximum(ranks, 1))


def without_ties(generator, queries, runs):
    return generator.random((queries, 1)) + generator.normal(0, 0.1, size=(queries, runs))


def many_ties(generator, queries, runs):
    return np.round(without_ties(generator, queries, runs), 3)


def nearly_constant(generator, queries, runs):
    """Runs that differ by the same on nearly all queries: the variance of t is what cancels."""
    return generator.random((queries, 1)) + np.arange(runs) + 1e-7 * generator.random((queries, runs))


def copies(generator, queries, runs):
    return np.repeat(reciprocal_ranks(generator, queries, 1), runs, axis=1)


def tiny(generator, queries, runs):
    return 1e-200 * without_ties(generator, queries, runs)


def drawn_splits(generator, splits, queries):
    return generator.permuted(np.tile(np.arange(queries) < queries // 2, (splits, 1)), axis=1)


@pytest.mark.parametrize("make", [reciprocal_ranks, without_ties, many_ties, nearly_constant, copies, tiny])
@pytest.mark.parametrize("queries, splits", [(2 * LEAST_QUERIES, 5), (211, 9)])
def test_the_same_as_each_half_by_itself(make, queries, splits):
    generator = np.random.default_rng(queries)
    values, in_first = make(generator, queries, 4), drawn_splits(generator, splits, queries)
    found = list(half_pairs(values, in_first))
    assert [one.first.tolist() for one in found] == [[0, 0, 0], [1, 1], [2]]
    assert [one.second.tolist() for one in found] == [[1, 2, 3], [2, 3], [3]]
    for name, kernel in KERNELS.items():
        for split, kept in enumerate(in_first):
            for half, rows in enumerate((kept, ~kept)):
                expected = kernel(values[rows]).p
                for one in found:
                    np.testing.assert_allclose(
                        one.p[name][half, split], expected[one.first, one.second], rtol=1e-9, atol=1e-12
                    )


@pytest.mark.parametrize("cells", [1, 500, 1 << 18])
def test_blocks_do_not_matter(cells, monkeypatch):
    generator = np.random.default_rng(3)
    values, in_first = many_ties(generator, 150, 3), drawn_splits(generator, 20, 150)
    expected = [one.p for one in half_pairs(values, in_first)]
    monkeypatch.setattr(sys.modules["runoff.significance.half_pairs"], "BLOCK_CELLS", cells)
    for one, other in zip(half_pairs(values, in_first), expected, strict=True):
        for name, p in other.items():
            np.testing.assert_array_equal(one.p[name], p)


@given(st.integers(0, 10**6), st.integers(1, 12))
@settings(max_examples=10)
def test_the_halves_change_places(seed, splits):
    generator = np.random.default_rng(seed)
    values, in_first = reciprocal_ranks(generator, 120, 3), drawn_splits(generator, splits, 120)
    for one, other in zip(half_pairs(values, in_first), half_pairs(values, ~in_first), strict=True):
        for name in KERNELS:
            np.testing.assert_allclose(one.p[name], other.p[name][::-1], rtol=1e-12)


@pytest.mark.parametrize(
    "in_first, message",
    [
        (np.ones((2, 90), dtype=bool), "shape \\(2, 90\\) and there are 120 queries"),
        (np.ones(120, dtype=bool), "expected splits x queries"),
        (np.zeros((0, 120), dtype=bool), "expected splits x queries"),
        (np.arange(240).reshape(2, 120) < 60, "first halves have 0 to 60 of 120 queries"),
        (np.arange(120)[None, :] < 20, "51 or more in both halves"),
    ],
)
def test_splits_that_cannot_be_used(in_first, message):
    with pytest.raises(UsageError, match=message):
        next(half_pairs(np.random.default_rng(0).random((120, 2)), in_first))
