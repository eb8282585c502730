"""Pairings that labels win."""

import math

from hypothesis import given
from hypothesis import strategies as st

from runoff import as_qrels
from runoff.preferences import pairings_won
from runoff.tables import Preferences
from tests.preferences.judged import DOCS, QUERIES, judgments, pair_votes

labels = st.dictionaries(
    st.sampled_from([*QUERIES, "other"]),
    st.dictionaries(st.sampled_from([*DOCS, "unknown"]), st.integers(0, 2), min_size=1),
    min_size=1,
)


@given(judgments(), labels)
def test_equals_the_slow_count(rows, grades):
    result = pairings_won(Preferences.of(rows), as_qrels(grades))
    tally = {1: 0, -1: 0, 0: 0}
    judged = set()
    for query, votes in pair_votes(rows).items():
        for (one, other), vote in votes.items():
            good, bad = (grades.get(query, {}).get(doc, 0) > 0 for doc in (one, other))
            if good:
                judged.add((query, one))
            if good and not bad:
                tally[(vote > 0) - (vote < 0)] += 1
    assert (result.wins, result.losses, result.even) == (tally[1], tally[-1], tally[0])
    assert result.judged == len(judged)
    assert result.labels == sum(grade > 0 for docs in grades.values() for grade in docs.values())


def test_no_pairings():
    result = pairings_won(Preferences.of([("q", "a", "b", "a")]), as_qrels({"q": {"c": 1}}))
    assert math.isnan(result.share)
