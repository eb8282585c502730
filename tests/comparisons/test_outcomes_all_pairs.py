"""All pairs: the same facets as each pair alone, for few and many queries, shallow and deep lists."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.comparisons import outcome_tests, outcomes, outcomes_all_pairs
from runoff.errors import UsageError
from runoff.measures._example import serps_from, serps_of
from runoff.significance import BY_NAME
from tests.comparisons.reference import ranked


def assert_equals_single_pairs(board, test, *, cutoff, level=1, reciprocal=False):
    result = outcomes_all_pairs(board, BY_NAME[test], cutoff=cutoff, level=level, reciprocal=reciprocal)
    for i, champion in enumerate(board):
        for j, challenger in enumerate(board):
            found = outcomes(champion, challenger, cutoff=cutoff, level=level)
            tests = outcome_tests(found)
            assert (result.more[j, i], result.more[i, j]) == found.queries_more
            assert result.more_p[i, j] == pytest.approx(tests.more.p, rel=1e-12)
            facet = tests.rr if reciprocal else tests.esl
            if facet is None:
                assert (result.sooner[i, j], result.sooner_p[i, j], result.favours[i, j]) == (0, 1, 0)
                continue
            one, sooner = getattr(facet, test), found.rr.difference if reciprocal else -found.esl.difference
            assert result.sooner[i, j] == pytest.approx(sooner, abs=1e-12)
            assert result.sooner_p[i, j] == pytest.approx(one.p, rel=1e-9)
            assert result.favours[i, j] == (one.favours if reciprocal else -one.favours)


@given(st.data(), st.sampled_from(["signed_rank", "t"]), st.booleans())
def test_equals_single_pairs(data, test, reciprocal):
    depth, queries = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 8))
    serp = st.lists(st.integers(-1, 2), min_size=depth, max_size=depth)
    runs = data.draw(st.lists(st.lists(serp, min_size=queries, max_size=queries), min_size=2, max_size=4))
    board = [ranked(lists, highest=2) for lists in runs]
    cutoff, level = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 2))
    assert_equals_single_pairs(board, test, cutoff=cutoff, level=level, reciprocal=reciprocal)


@pytest.mark.parametrize("reciprocal", [False, True])
@pytest.mark.parametrize("depth, share", [(10, 0.3), (128, 0.2), (128, 0.9), (300, 0.05), (100, 0.005)])
def test_equals_single_pairs_on_many_queries(depth, share, reciprocal):
    rng = np.random.default_rng(depth)
    grades = (rng.random((4, 400, depth)) < share).astype(int)
    judged = [[0, depth]] * 400
    board = [serps_of(*one.tolist(), judged=judged, run=str(at)) for at, one in enumerate(grades)]
    board.append(board[0])  # a run against itself has no difference at all
    assert_equals_single_pairs(board, "signed_rank", cutoff=depth, reciprocal=reciprocal)


def test_one_run_or_different_queries_are_refused():
    with pytest.raises(UsageError, match="expected at least 2"):
        outcomes_all_pairs([serps_from("1")], BY_NAME["t"], cutoff=1)
    with pytest.raises(UsageError, match="different queries"):
        outcomes_all_pairs([serps_from("1"), serps_from("1", "1")], BY_NAME["t"], cutoff=1)
