"""Ranks as spans, and back."""

from hypothesis import given
from hypothesis import strategies as st

from runoff.workflows.rank_spans import rank_spans


@given(st.sets(st.integers(1, 40)))
def test_spans_hold_the_same_ranks(ranks):
    text = rank_spans(sorted(ranks))
    found = set()
    for span in filter(None, text.split(", ")):
        first, _, last = span.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    assert found == ranks
