"""Counts by pair."""

import numpy as np
from hypothesis import given

from runoff.preferences import count_pairs
from runoff.tables import Preferences
from tests.preferences.judged import judgments, pair_votes


@given(judgments())
def test_counts_equal_those_of_a_dictionary(rows):
    table = Preferences.of(rows)
    counts = count_pairs(table)
    votes = pair_votes(rows)
    docs = list(table.docs)
    seen = set()
    for pair in range(len(counts)):
        query = table.query_ids[counts.pair_query[pair]]
        first, second = docs[counts.item_doc[counts.first[pair]]], docs[counts.item_doc[counts.second[pair]]]
        assert votes[query][first, second] == counts.first_votes[pair] - counts.second_votes[pair]
        judged = [row for row in rows if row[0] == query and {row[1], row[2]} == {first, second}]
        assert counts.votes[pair] == len(judged)
        assert counts.ties[pair] == sum(row[3] is None for row in judged)
        seen.add((query, frozenset((first, second))))
    assert seen == {(row[0], frozenset(row[1:3])) for row in rows}
    assert len(counts.row_pair) == len(rows)
    assert (np.sign(counts.first_votes - counts.second_votes) == counts.majority).all()
    assert counts.item_bounds[-1] == len(counts.item_query)


def test_test_pairs_are_left_out():
    table = Preferences.of([("q", "a", "z", "a", None, None, None, "a"), ("q", "a", "b", "b")])
    counts = count_pairs(table)
    assert (len(counts), counts.rows.tolist()) == (1, [1])
