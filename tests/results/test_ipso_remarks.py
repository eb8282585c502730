"""What is said beside IPSO: queries that nobody can answer, and labels of one relevant document."""

import pytest

from runoff.comparisons import ipso, ipso_all_pairs
from runoff.errors import UsageError
from runoff.measures._example import serps_of
from runoff.results.remarks import answer_remarks

SEVERAL = [[5, 2, 0], [5, 0, 0], [5, 0, 0]]
ONE = [[5, 0, 1], [5, 0, 1], [5, 1, 0]]


def pair(judged):
    return [serps_of([0], [0], [0], judged=judged, run=run) for run in "AB"]


def remarks(judged, **asked):
    return list(answer_remarks(ipso(*pair(judged), depth=3, **asked), **asked))


def test_queries_that_nobody_can_answer():
    assert remarks(SEVERAL, level=1) == [
        "2 of 3 queries have no relevant document in the labels, so nobody can answer them; they are left out."
    ]
    assert remarks(ONE, level=2)[0] == (
        "1 of 3 queries has no document of grade 2 or above in the labels, so nobody can answer it; it is left out."
    )
    assert remarks(ONE, gains=(0, 0, 1))[0].startswith("1 of 3 queries has no document with a gain in the labels")


def test_labels_of_one_relevant_document():
    assert remarks(ONE, level=1) == [
        "No query has more than one relevant document in the labels, so the IPSO vote is the sign test of RR@3."
    ]
    board = ipso_all_pairs(pair(ONE), depth=3, level=2)
    assert list(answer_remarks(board, level=2))[1] == (
        "No query has more than one document of grade 2 or above in the labels, so IPSO is the sign test of RR(rel=2) "
        "at every depth."
    )
    assert not any("sign test" in remark for remark in remarks(SEVERAL, level=1))


@pytest.mark.parametrize("asked", [{"level": 2}, {"gains": (0, 0, 1)}])
def test_no_query_with_an_answer_is_an_error(asked):
    with pytest.raises(UsageError, match="none of the 3 queries has a document"):
        remarks(SEVERAL, **asked)


def test_no_query_at_all_says_nothing():
    nothing = serps_of(judged=[], run="A")
    assert list(answer_remarks(ipso(nothing, nothing, depth=3))) == []
