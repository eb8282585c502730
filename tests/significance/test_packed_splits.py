"""Counts of many splits at once: the same as those of each split by itself."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from runoff.significance import PackedSplits


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
