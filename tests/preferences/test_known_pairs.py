"""Test pairs are a label against a label of another query, off topic as far as can be known."""

import pytest

from runoff.errors import UsageError
from runoff.preferences import draw_known_pairs, make_pools
from tests.preferences.pooled import drawn_board, qrels_of

LABELS = {f"q{number}": [f"d{number}", "shared"] for number in range(20)}


def test_right_answers_are_labels_and_wrong_ones_are_off_topic():
    qrels = qrels_of(LABELS)
    drawn = draw_known_pairs(make_pools([], qrels), qrels, 60)
    assert len(drawn) == 60
    for query, right, wrong in drawn:
        assert right == f"d{query[1:]}"
        assert wrong in {f"d{number}" for number in range(20)} - {right}
    assert {query for query, _, _ in drawn[:20]} == set(LABELS)
    assert drawn == draw_known_pairs(make_pools([], qrels), qrels, 60)
    assert drawn != draw_known_pairs(make_pools([], qrels), qrels, 60, seed=1)


def test_documents_of_the_pool_are_not_off_topic():
    runs, qrels = drawn_board(5, docs=8)
    pools = make_pools(runs, qrels)
    pooled = {(query, doc) for query, *pair in pools.pairs() for doc in pair}
    for query, _, wrong in draw_known_pairs(pools, qrels, 30):
        assert (query, wrong) not in pooled


def test_where_none_can_be_drawn():
    alone = qrels_of({"q1": ["a"]})
    with pytest.raises(UsageError, match="1 queries have a relevant document; expected two or more"):
        draw_known_pairs(make_pools([], alone), alone, 3)
    same = qrels_of({"q1": ["a"], "q2": ["a"]})
    with pytest.raises(UsageError, match="no document of another query is off topic"):
        draw_known_pairs(make_pools([], same), same, 3)
