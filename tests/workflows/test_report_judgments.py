"""Judgments in a report: only runs that were pooled are tallied."""

import pytest

from runoff import as_qrels, as_run
from runoff.tables import Preferences
from runoff.workflows.report_judgments import POOLED, judged_first, tally_of_board

QUERIES = [f"q{place}" for place in range(10)]
VOTES = Preferences.of([(query, "a", "b", "b") for query in QUERIES])
LABELS = as_qrels({query: {"a": 1} for query in QUERIES})


def first_of(name, documents):
    return as_run({query: {document: 1.0} for query, document in documents.items()}, name=name)


@pytest.mark.parametrize("judged", [0, 5, 9, 10])
def test_the_share_of_first_documents(judged):
    run = first_of("run", {query: "b" if place < judged else "x" for place, query in enumerate(QUERIES)})
    assert judged_first(VOTES, [run]) == [judged / 10]


def test_a_run_that_lacks_judged_queries_was_not_pooled():
    assert judged_first(VOTES, [first_of("run", {"q0": "a", "other": "a"})]) == [0.1]


def test_runs_that_were_not_pooled_are_left_out_and_that_is_said():
    pooled = first_of("pooled", dict.fromkeys(QUERIES, "b"))
    stranger = first_of("stranger", {query: "b" if query == "q1" else "x" for query in QUERIES})
    result, said = tally_of_board([VOTES], [pooled, stranger], LABELS)
    assert result.board
    assert result.board.ratios.runs == ("pooled", "perfect ranking")
    assert said.startswith("The judgments are about the first documents of 1 of the 2 runs; ")
    assert f"{POOLED:.0%}" in said
    result, said = tally_of_board([VOTES], [pooled], LABELS)
    assert said == ""
    result, said = tally_of_board([VOTES], [stranger], LABELS)
    assert result.board is None
    assert "of 0 of the 1 runs" in said
