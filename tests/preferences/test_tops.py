"""Top documents."""

import numpy as np
import pytest

from runoff import as_qrels, as_run
from runoff.errors import UsageError
from runoff.preferences import PERFECT, TopDocs
from runoff.preferences.tops import best_rows

QUERIES = ["q1", "q2", "q3"]


def shown(tops):
    docs = [*tops.docs, None]
    return {run: [docs[place] for place in row] for run, row in zip(tops.runs, tops.places.tolist(), strict=True)}


def test_documents_at_a_rank():
    runs = [
        as_run({"q1": {"a": 2, "b": 1}, "q9": {"z": 1}}, name="x"),
        as_run({"q3": {"a": 1}, "q1": {"b": 1}}, name="y"),
    ]
    assert shown(TopDocs.of_runs(runs, QUERIES)) == {"x": ["a", None, None], "y": ["b", None, "a"]}
    assert shown(TopDocs.of_runs(runs, QUERIES, rank=2)) == {"x": ["b", None, None], "y": [None, None, None]}


def test_perfect_ranking_is_the_first_relevant_document_of_the_file():
    qrels = as_qrels([("q2", "n", 0), ("q1", "b", 1), ("q2", "z", 1), ("q1", "a", 1), ("q4", "n", 0)])
    assert shown(TopDocs.perfect(qrels, QUERIES)) == {PERFECT: ["b", "z", None]}
    assert shown(TopDocs.perfect(qrels)) == {PERFECT: ["z", "b", None]}


def test_perfect_ranking_of_grades_is_the_first_of_the_highest():
    qrels = as_qrels([("q1", "a", 1), ("q1", "b", 3), ("q1", "c", 3), ("q2", "d", 0), ("q2", "e", 2)])
    assert shown(TopDocs.perfect(qrels)) == {PERFECT: ["b", "e"]}
    assert best_rows(qrels).tolist() == [1, 2, 4]


def test_joined():
    one = TopDocs.of({"x": {"q1": "a", "q3": "b"}}, QUERIES)
    two = TopDocs.of({"y": {"q1": "b", "q2": "c"}}, QUERIES)
    assert shown(TopDocs.joined([one, two])) == {"x": ["a", None, "b"], "y": ["b", "c", None]}
    with pytest.raises(UsageError, match="different queries"):
        TopDocs.joined([one, TopDocs.of({"y": {}}, ["q1"])])


def test_refused():
    one = TopDocs.of({"x": {"q1": "a"}}, ["q1"])
    with pytest.raises(UsageError, match="expected every run once"):
        TopDocs.joined([one, one])
    with pytest.raises(UsageError, match="expected 1 runs x 2 queries"):
        TopDocs(runs=("x",), query_ids=("a", "b"), docs=one.docs, places=np.zeros((1, 1), dtype=np.int64))
