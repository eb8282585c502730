import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runoff.significance.all_pairs as module
import runoff.significance.all_pairs as signed_rank_pairs
from runoff.errors import UsageError
from runoff.significance import BY_NAME, rank_sum_all_pairs, sign_all_pairs, signed_rank_all_pairs, t_all_pairs
from tests.significance.cases import RECIPROCALS, board, scipy_result

ALL = (t_all_pairs, signed_rank_all_pairs, rank_sum_all_pairs, sign_all_pairs)
each_kernel = pytest.mark.parametrize("kernel", ALL, ids=lambda kernel: kernel.__name__)


def near_duplicates():
    scores = np.repeat(board(600, 1), 6, axis=1)
    scores[3, 1] += 1e-4
    scores[7, 2] += 1e-7
    scores[:, 3] += 0.25
    scores[:, 4] = 0.5
    return scores


def continuous(n, runs):
    rng = np.random.default_rng(2)
    return rng.random((n, 1)) + rng.normal(size=(n, runs)) / 5 + np.arange(runs) / 50


BOARDS = {
    "few queries": board(10, 5),
    "exact": continuous(40, 5),
    "reciprocal ranks": board(300, 8),
    "continuous": continuous(300, 6),
    "success": (board(200, 5) > 0.1).astype(float),
    "near duplicates": near_duplicates(),
    "far from 0": continuous(100, 4) + 1000.0,
    "large": board(80, 4) * 1e90,
    "all equal": np.full((60, 3), 0.5),
    "one run": board(60, 1),
    "one query": board(1, 4),
    "two queries": board(2, 4),
}


def assert_equals_pairs(kernel, scores):
    result = kernel(scores)
    runs = scores.shape[1]
    assert result.statistic.shape == result.p.shape == (runs, runs)
    for i in range(runs):
        for j in range(runs):
            expected = BY_NAME[result.name].compare(scores[:, i], scores[:, j])
            np.testing.assert_allclose(result.p[i, j], expected.p, rtol=1e-9, atol=1e-300, err_msg=f"{i} {j}")
            np.testing.assert_allclose(result.statistic[i, j], expected.statistic, rtol=1e-9, atol=1e-9)
            assert result.favours[i, j] == expected.favours, f"{i} {j}"


@each_kernel
@pytest.mark.parametrize("name", BOARDS)
def test_equals_the_test_of_each_pair(kernel, name):
    assert_equals_pairs(kernel, BOARDS[name])


@each_kernel
@settings(max_examples=30)
@given(data=st.data())
def test_equals_the_test_of_each_pair_on_random_boards(kernel, data):
    n, runs = data.draw(st.integers(1, 70)), data.draw(st.integers(1, 4))
    rows = data.draw(
        st.lists(st.lists(st.sampled_from(RECIPROCALS), min_size=runs, max_size=runs), min_size=n, max_size=n)
    )
    assert_equals_pairs(kernel, np.array(rows))


@each_kernel
def test_equals_scipy(kernel):
    scores = board(2000, 4, seed=3)
    result = kernel(scores)
    for i, j in ((0, 1), (2, 1), (3, 0)):
        statistic, p = scipy_result(result.name, scores[:, i], scores[:, j])
        np.testing.assert_allclose((result.statistic[i, j], result.p[i, j]), (statistic, p), rtol=1e-9)


def test_rank_sum_in_blocks_of_values(monkeypatch):
    scores = continuous(200, 4)
    expected = rank_sum_all_pairs(scores)
    for size in (1, 7, 799):
        monkeypatch.setattr(module, "BLOCK_VALUES", size)
        np.testing.assert_array_equal(rank_sum_all_pairs(scores).statistic, expected.statistic)
        np.testing.assert_allclose(rank_sum_all_pairs(scores).p, expected.p, rtol=1e-12)


def test_counting_and_sorting_give_the_same(monkeypatch):
    scores = board(2500, 5)
    counted = signed_rank_all_pairs(scores)
    monkeypatch.setattr(signed_rank_pairs, "MOST_DISTINCT", 0)
    np.testing.assert_array_equal(signed_rank_all_pairs(scores).statistic, counted.statistic)
    np.testing.assert_array_equal(signed_rank_all_pairs(scores).p, counted.p)


@each_kernel
def test_bad_input_is_refused(kernel):
    with pytest.raises(UsageError, match="queries in rows"):
        kernel([0.1, 0.2])
    with pytest.raises(UsageError, match="2 of the 4 scores in the matrix are undefined"):
        kernel([[0.1, np.nan], [np.inf, 0.2]])
