"""Judgments of OpenSearch's Search Relevance Workbench."""

import json

import pytest

from runoff.files import read_qrels, read_run
from tests.files.samples import problems_of

RATINGS = [
    {"query": "red dress", "ratings": [{"docId": "B1", "rating": "3.000"}, {"docId": "B2", "rating": "0.500"}]},
    {"query": "shoes", "ratings": [{"docId": "B1", "rating": 2}]},
]
ROWS = [("red dress", "B1", 3), ("red dress", "B2", 0.5), ("shoes", "B1", 2)]
REQUEST = {"name": "Imported", "description": "", "type": "IMPORT_JUDGMENT", "judgmentRatings": RATINGS}


@pytest.mark.parametrize(
    "document",
    [
        REQUEST,
        {**REQUEST, "judgmentRatings": {entry["query"]: entry["ratings"] for entry in RATINGS}},
        {"took": 1, "hits": {"total": {"value": 1}, "hits": [{"_id": "x", "_source": REQUEST}]}},
    ],
    ids=["request", "by query", "answer"],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_qrels(document, indent):
    assert list(read_qrels(json.dumps(document, indent=indent).encode())) == ROWS


def test_faults():
    ratings = [{"query": "a", "ratings": [{"docId": "B1", "rating": "x"}, {"docId": "B1"}, 7]}, {"query": "b"}, 3]
    problems = problems_of(read_qrels, json.dumps({**REQUEST, "judgmentRatings": ratings}, indent=1).encode())
    assert [problem.partition(";")[0] for problem in problems] == [
        "<bytes>:10: grade 'x' of document 'B1' for query 'a' is not a finite number",
        "<bytes>:14: query 'a' has the rating '7'",
        "<bytes>:14: query 'b' has no list of ratings",
        "<bytes>:14: query '3' has no list of ratings",
        "<bytes>:14: grade '' of document 'B1' for query 'a' is not a finite number",
    ]


def test_no_run():
    (problem,) = problems_of(read_run, json.dumps(REQUEST).encode())
    assert "this looks like a qrels file" in problem
