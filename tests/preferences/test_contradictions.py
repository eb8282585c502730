"""Assessors who contradict themselves."""

from hypothesis import given

from runoff.preferences import contradictions
from runoff.tables import Preferences
from tests.preferences.judged import judgments


@given(judgments())
def test_equals_a_slow_search(rows):
    said: dict[tuple[str, str, frozenset[str]], list[str]] = {}
    for query, left, right, preferred, who in rows:
        if who is not None and preferred is not None:
            said.setdefault((who, query, frozenset((left, right))), []).append(preferred)
    expected = {key: sorted(map(votes.count, set(votes))) for key, votes in said.items() if len(set(votes)) == 2}
    found = {
        (one.assessor, one.query_id, frozenset((one.first, one.second))): sorted((one.first_votes, one.second_votes))
        for one in contradictions(Preferences.of(rows))
    }
    assert found == expected


def test_votes_belong_to_their_documents():
    (one,) = contradictions(Preferences.of([("q", "b", "a", "a", "ann")] * 2 + [("q", "a", "b", "b", "ann")]))
    assert {one.first: one.first_votes, one.second: one.second_votes} == {"a": 2, "b": 1}
