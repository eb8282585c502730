"""Pools against a slow and obvious version."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.preferences import make_pools, pools_of_pairs
from runoff.preferences.pools import SEVERAL
from tests.preferences.pooled import drawn_board, qrels_of, run_of


@given(st.integers(0, 1000), st.integers(1, 4), st.integers(0, 4))
def test_equals_the_slow_version(seed, depth, number):
    runs, qrels = drawn_board(seed, runs=number)
    pools = make_pools(runs, qrels, depth=depth)
    expected = {}
    for query, doc, _ in qrels:
        expected[query] = {doc: {number}}
    for place, run in enumerate(runs):
        seen = dict.fromkeys(run.query_ids, 0)
        for query, doc, _ in run:
            seen[query] += 1
            if seen[query] <= depth:
                expected[query].setdefault(doc, set()).add(place)
    docs = list(pools.docs)
    found: dict[str, dict[str, int]] = {query: {} for query in pools.query_ids}
    for query, doc, only in zip(
        pools.item_query.tolist(), pools.item_doc.tolist(), pools.only_by.tolist(), strict=True
    ):
        found[pools.query_ids[query]][docs[doc]] = only
    assert found == {
        query: {doc: next(iter(by)) if len(by) == 1 else SEVERAL for doc, by in one.items()}
        for query, one in expected.items()
    }
    pairs = [(query, *pair) for query in pools.query_ids for pair in combinations(sorted(expected[query]), 2)]
    assert pools.pairs() == pairs
    assert pools.pair_count == len(pairs)
    assert pools.histogram.sum() == len(pools.query_ids)
    if pairs:
        assert sorted(pools_of_pairs(pairs).pairs()) == sorted(pairs)


@given(st.integers(0, 1000))
def test_the_order_of_runs_does_not_matter(seed):
    runs, qrels = drawn_board(seed)
    assert make_pools(runs, qrels).pairs() == make_pools(runs[::-1], qrels).pairs()


def test_queries_that_runs_or_labels_lack():
    qrels = qrels_of({"q1": ["a"], "q2": ["b"]})
    pools = make_pools([run_of("x", {"q1": ["c"], "q9": ["z"]})], qrels, query_ids=["q1", "q2", "q3"])
    assert pools.sizes.tolist() == [2, 1, 0]
    assert pools.histogram.tolist() == [1, 1, 1]


def test_some_queries_only():
    pools = make_pools(*drawn_board(3))
    part = pools.only(["q3", "q1"])
    assert part.query_ids == ("q1", "q3")
    assert part.pairs() == [pair for pair in pools.pairs() if pair[0] in ("q1", "q3")]
    with pytest.raises(UsageError, match="have no pool, the first is 'x'"):
        pools.only(["x"])


def test_depth_zero():
    with pytest.raises(UsageError, match="depth is 0"):
        make_pools(*drawn_board(1), depth=0)
