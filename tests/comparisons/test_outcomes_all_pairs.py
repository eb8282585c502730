"""All pairs: the same counts as each pair alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.comparisons import OUTCOMES, outcomes, outcomes_all_pairs
from runoff.comparisons._example import serps_from
from runoff.errors import UsageError
from tests.comparisons.reference import ranked


@given(st.data())
def test_equals_single_pairs(data):
    depth, queries = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 8))
    serp = st.lists(st.integers(-1, 2), min_size=depth, max_size=depth)
    runs = data.draw(st.lists(st.lists(serp, min_size=queries, max_size=queries), min_size=2, max_size=4))
    board = [ranked(lists, highest=2) for lists in runs]
    cutoff, level = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 2))
    result = outcomes_all_pairs(board, cutoff=cutoff, level=level)
    for i, champion in enumerate(board):
        for j, challenger in enumerate(board):
            counts = outcomes(champion, challenger, cutoff=cutoff, level=level).counts
            assert {name: int(getattr(result, name)[i, j]) for name in OUTCOMES} == counts


def test_one_run_or_different_queries_are_refused():
    with pytest.raises(UsageError, match="expected at least 2"):
        outcomes_all_pairs([serps_from("1")], cutoff=1)
    with pytest.raises(UsageError, match="different queries"):
        outcomes_all_pairs([serps_from("1"), serps_from("1", "1")], cutoff=1)
