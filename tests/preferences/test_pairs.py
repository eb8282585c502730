"""Counts by pair."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runoff.preferences import PreferredShare, count_pairs
from runoff.preferences.pairs import UNJUDGED, outcomes_of
from runoff.tables import Ids, Preferences
from tests.preferences.judged import DOCS, QUERIES, judgments, pair_votes


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


@given(judgments(min_size=0), st.permutations([*DOCS, "unknown"]), st.permutations([*QUERIES, "never"]))
def test_outcomes_equal_a_dictionary(rows, docs, queries):
    table = Preferences.of(rows)
    votes = pair_votes(rows)
    wanted = [(q, x, y) for q in range(len(queries)) for x in range(len(docs)) for y in range(len(docs)) if x != y]
    query, one, other = np.array(wanted).T
    found = outcomes_of(table, count_pairs(table), queries, Ids.of(docs), (query, one, other))
    for (q, x, y), outcome in zip(wanted, found.tolist(), strict=True):
        pair = docs[x], docs[y]
        expected = np.sign(votes[queries[q]][pair]) if pair in votes[queries[q]] else UNJUDGED
        assert outcome == expected


@given(st.integers(0, 3000), st.integers(0, 3000), st.integers(0, 50))
def test_equals_scipy(wins, losses, even):
    found = PreferredShare.of(wins, losses, even)
    if wins + losses:
        expected = stats.binomtest(wins, wins + losses)
        assert found.p == pytest.approx(max(expected.pvalue, 5e-324), rel=1e-9)
        assert found.ci95 == pytest.approx(tuple(expected.proportion_ci()), rel=1e-9, abs=1e-12)
        assert found.share == expected.statistic  # even splits have no part in share, interval or test
        assert found.ci95[0] <= found.share <= found.ci95[1]
        assert (found.p < 0.05) == (not found.ci95[0] <= 0.5 <= found.ci95[1])
    assert (found.counted, found.even) == (wins + losses, even)


def test_published_counts():
    # Arabzadeh et al. 2021, Table 2 and Figure 2.
    assert round(100 * PreferredShare.of(1228, 640).share, 1) == 65.7
    assert round(100 * PreferredShare.of(2996, 2116).share, 1) == 58.6
    assert PreferredShare.of(2996, 2116).p < 1e-30


def test_nothing_judged():
    found = PreferredShare.of(0, 0)
    assert math.isnan(found.share)
    assert (found.p, found.ci95) == (1.0, (0.0, 1.0))
