"""Runs that are nearly the same."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.boards.near_duplicates import common_counts, exact_codes, near_duplicates
from runoff.errors import UsageError
from runoff.reading.sources import as_run
from runoff.tables import Ids

lists = st.lists(
    st.sampled_from([*"abcdefgh", "a-long-document-id-1", "a-long-document-id-2"]), min_size=1, unique=True
)
runs = st.dictionaries(st.sampled_from(["1", "2", "3", "a-long-query"]), lists, min_size=1)


def make(name, ranked):
    rows = [(query, doc, -rank) for query, docs in ranked.items() for rank, doc in enumerate(docs)]
    return as_run(rows, name=name)


def slow_overlap(one, other, depth):
    shares = []
    for query in {*one, *other}:
        a, b = set(one.get(query, [])[:depth]), set(other.get(query, [])[:depth])
        shares.append(len(a & b) / max(len(a), len(b)))
    return np.mean(shares)


@given(st.lists(runs, min_size=1, max_size=4), st.integers(1, 5), st.sampled_from([1, 7, 1 << 18]))
def test_overlaps_are_those_of_an_obvious_count(ranked, depth, rows):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[near_duplicates.__module__], "_ROWS_AT_A_TIME", rows)
        found = near_duplicates([make(str(place), one) for place, one in enumerate(ranked)], depth=depth)
    slow = [[slow_overlap(one, other, depth) for other in ranked] for one in ranked]
    np.testing.assert_allclose(found.overlaps, slow, rtol=0, atol=1e-12)


def test_the_threshold_is_inclusive_and_the_order_of_documents_is_free():
    docs = [f"d{rank}" for rank in range(20)]
    one = make("one", {"q1": docs[:10], "q2": docs[:10]})
    two = make("two", {"q1": docs[9::-1], "q2": [*docs[:9], "other"]})
    three = make("three", {"q1": docs[:10], "q2": docs[:8]})
    found = near_duplicates([one, two, three])
    assert [(pair.first, pair.second) for pair in found.pairs] == [("one", "two")]
    assert found.pairs[0].overlap == pytest.approx(0.95)
    assert found.overlaps[0, 2] == pytest.approx(0.9)  # 8 of 10 in q2
    assert (found.runs, found.depth, found.threshold) == (("one", "two", "three"), 10, 0.95)


def test_only_the_depth_counts():
    one, two = make("a", {"q": ["x", "y"]}), make("b", {"q": ["x", "z"]})
    assert near_duplicates([one, two], depth=1).overlaps[0, 1] == 1
    assert near_duplicates([one, two], depth=2).overlaps[0, 1] == 0.5


@pytest.mark.parametrize("columns", [0, 1, 8, 63, 64, 65, 200])
def test_common_counts_are_a_matrix_product(columns):
    holds = np.random.default_rng(columns).random((7, columns)) < 0.5
    np.testing.assert_array_equal(common_counts(holds), holds.astype(int) @ holds.astype(int).T)


def test_cutting_the_runs_first_changes_nothing():
    ranked = [{"q1": list("abcdef"), "q2": list("xyz")}, {"q1": list("fabcde"), "q3": list("x")}]
    whole = [make(str(place), one) for place, one in enumerate(ranked)]
    found, cut = near_duplicates(whole, depth=3), near_duplicates([run.top(3) for run in whole], depth=3)
    np.testing.assert_array_equal(found.overlaps, cut.overlaps)


def test_colliding_hashes_decide_nothing():
    docs = Ids.of(["a", "b", "a", "a", "b"])
    queries = np.array([0, 0, 0, 1, 0])
    codes = exact_codes(docs, queries, np.zeros(5, dtype=np.uint64)).tolist()
    assert codes[0] == codes[2]
    assert codes[1] == codes[4]
    assert len({codes[0], codes[1], codes[3]}) == 3


def test_refusals():
    run = make("a", {"q": ["x"]})
    with pytest.raises(UsageError, match="depth=0 cannot be used; expected 1 or more; write depth=10"):
        near_duplicates([run], depth=0)
    with pytest.raises(UsageError, match=r"threshold=0 cannot be used; expected above 0 to 1; write threshold=0\.95"):
        near_duplicates([run], threshold=0)
    with pytest.raises(UsageError, match="two runs are called 'a'; expected every name once; rename one"):
        near_duplicates([run, run])


def test_no_runs():
    assert near_duplicates([]).pairs == ()
