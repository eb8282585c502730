"""Pools against a slow and obvious version."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.preferences import PERFECT, TopDocs, make_pools, pools_of_pairs
from runoff.preferences.pools import SEVERAL, best_rows
from runoff.reading.sources import as_qrels, as_run
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


QUERIES = ["q1", "q2", "q3"]


def shown(tops):
    docs = [*tops.docs, None]
    return {run: [docs[place] for place in row] for run, row in zip(tops.runs, tops.places.tolist(), strict=True)}


def test_documents_at_a_rank():
    runs = [
        as_run({"q1": {"a": 2, "b": 1}, "q9": {"z": 1}}, name="x"),
        as_run({"q3": {"a": 1}, "q1": {"b": 1}}, name="y"),
    ]
    assert shown(TopDocs.of_runs(runs, QUERIES)) == {"x": ["a", None, None], "y": ["b", None, "a"]}
    assert shown(TopDocs.of_runs(runs, QUERIES, rank=2)) == {"x": ["b", None, None], "y": [None, None, None]}


def test_perfect_ranking_is_the_first_relevant_document_of_the_file():
    qrels = as_qrels([("q2", "n", 0), ("q1", "b", 1), ("q2", "z", 1), ("q1", "a", 1), ("q4", "n", 0)])
    assert shown(TopDocs.perfect(qrels, QUERIES)) == {PERFECT: ["b", "z", None]}
    assert shown(TopDocs.perfect(qrels)) == {PERFECT: ["z", "b", None]}


def test_perfect_ranking_of_grades_is_the_first_of_the_highest():
    qrels = as_qrels([("q1", "a", 1), ("q1", "b", 3), ("q1", "c", 3), ("q2", "d", 0), ("q2", "e", 2)])
    assert shown(TopDocs.perfect(qrels)) == {PERFECT: ["b", "e"]}
    assert best_rows(qrels).tolist() == [1, 2, 4]


def test_joined():
    one = TopDocs.of({"x": {"q1": "a", "q3": "b"}}, QUERIES)
    two = TopDocs.of({"y": {"q1": "b", "q2": "c"}}, QUERIES)
    assert shown(TopDocs.joined([one, two])) == {"x": ["a", None, "b"], "y": ["b", "c", None]}
    with pytest.raises(UsageError, match="different queries"):
        TopDocs.joined([one, TopDocs.of({"y": {}}, ["q1"])])


def test_refused():
    one = TopDocs.of({"x": {"q1": "a"}}, ["q1"])
    with pytest.raises(UsageError, match="expected every run once"):
        TopDocs.joined([one, one])
    with pytest.raises(UsageError, match="expected 1 runs x 2 queries"):
        TopDocs(runs=("x",), query_ids=("a", "b"), docs=one.docs, places=np.zeros((1, 1), dtype=np.int64))
