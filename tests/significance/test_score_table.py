"""Scores of few values as codes: the values and differences come back from them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.significance import ScoreTable, score_table
from runoff.significance._signed_rank_pairs import MOST_DISTINCT


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
