"""Samples of queries, and whether they keep the order of a board."""

import numpy as np
import pytest
from scipy import stats

from runoff.errors import UsageError
from runoff.preferences import check_sample, make_pools, sample_queries
from runoff.tables import Scores
from tests.preferences.pooled import drawn_board, qrels_of, run_of


def test_only_queries_with_something_to_compare_are_drawn():
    pools = make_pools(
        [run_of("x", {"q1": ["a"], "q2": ["c"], "q3": ["d"]})], qrels_of({"q1": "a", "q2": "a", "q3": "a"})
    )
    assert sample_queries(pools, 2) == ("q2", "q3")
    with pytest.raises(UsageError, match="expected 1 to 2, the queries whose pool"):
        sample_queries(pools, 3)


def test_the_sample_is_random_and_reproducible():
    pools = make_pools(*drawn_board(2))
    drawn = [sample_queries(pools, 4, seed=seed) for seed in range(200)]
    assert drawn[0] == sample_queries(pools, 4)
    times = [sum(query in one for one in drawn) for query in pools.query_ids]
    assert min(times) > 30


def test_tau_is_that_of_scipy():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 5, size=(40, 6)) / 4
    ids = tuple(map(str, range(40)))
    scores = Scores(measure="RR@10", query_ids=ids, runs=tuple("abcdef"), values=values)
    found = check_sample(scores, ids[:10])
    expected = stats.kendalltau(values.mean(axis=0), values[:10].mean(axis=0)).statistic
    assert found.tau == pytest.approx(expected)
    np.testing.assert_allclose(found.sample_means, values[:10].mean(axis=0))
    assert check_sample(scores, ids).is_same_order
