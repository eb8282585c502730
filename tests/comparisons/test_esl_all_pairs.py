"""All pairs: the same tests of ESL as each pair alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.comparisons import esl_all_pairs, outcome_tests, outcomes
from runoff.comparisons._example import serps_from
from runoff.errors import UsageError
from runoff.significance import BY_NAME
from tests.comparisons.reference import ranked


@given(st.data(), st.sampled_from(["signed_rank", "t"]))
def test_equals_single_pairs(data, test):
    depth, queries = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 8))
    serp = st.lists(st.integers(-1, 2), min_size=depth, max_size=depth)
    runs = data.draw(st.lists(st.lists(serp, min_size=queries, max_size=queries), min_size=2, max_size=4))
    board = [ranked(lists, highest=2) for lists in runs]
    cutoff, level = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 2))
    result = esl_all_pairs(board, BY_NAME[test], cutoff=cutoff, level=level)
    for i, champion in enumerate(board):
        for j, challenger in enumerate(board):
            found = outcomes(champion, challenger, cutoff=cutoff, level=level)
            tests = outcome_tests(found).esl
            if tests is None:
                assert (result.differences[i, j], result.p[i, j], result.favours[i, j]) == (0, 1, 0)
                continue
            one = getattr(tests, test)
            assert result.differences[i, j] == pytest.approx(found.esl.difference, abs=1e-12)
            assert result.p[i, j] == pytest.approx(one.p, rel=1e-12)
            assert (result.favours[i, j] > 0, result.favours[i, j] < 0) == (one.favours > 0, one.favours < 0)


def test_one_run_or_different_queries_are_refused():
    with pytest.raises(UsageError, match="expected at least 2"):
        esl_all_pairs([serps_from("1")], BY_NAME["t"], cutoff=1)
    with pytest.raises(UsageError, match="different queries"):
        esl_all_pairs([serps_from("1"), serps_from("1", "1")], BY_NAME["t"], cutoff=1)
