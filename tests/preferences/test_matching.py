"""Outcomes of pairs under another table's numbers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from runoff.preferences import count_pairs
from runoff.preferences.matching import UNJUDGED, outcomes_of
from runoff.tables import Ids, Preferences
from tests.preferences.judged import DOCS, QUERIES, judgments, pair_votes


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
