"""JSON with a row in every object; umbrela's judgments."""

import json

import pytest

from runoff.files import read_qrels, read_run
from runoff.files.peers import json_rows
from tests.files.samples import problems_of

ROWS = [("q1", "d1", 2.5), ("q1", "d2", -1.0), ("q2", "7", 1e-7)]
UMBRELA = {"model": "m", "query": "how long", "passage": "a day", "prompt": "", "prediction": "##final score: 3"}


def lines(records):
    return "".join(json.dumps(record) + "\n" for record in records).encode()


@pytest.mark.parametrize(
    "names", [("qid", "docno", "score"), ("query_id", "docid", "score"), ("query-id", "corpus-id", "score")]
)
@pytest.mark.parametrize("form", ["lines", "list", "indented list"])
def test_runs(names, form):
    records = [
        dict(zip(names, (query, int(doc) if doc == "7" else doc, score), strict=True)) for query, doc, score in ROWS
    ]
    data = {
        "lines": lines(records),
        "list": json.dumps(records).encode(),
        "indented list": json.dumps(records, indent=2).encode(),
    }
    assert list(read_run(data[form])) == ROWS


def test_qrels_and_a_query_with_its_text():
    records = [
        {"query": {"qid": "1", "text": "x"}, "docid": "a", "relevance": 2},
        {"query": {"qid": "1", "text": "x"}, "docid": "b", "relevance": 0.5},
    ]
    assert list(read_qrels(lines(records))) == [("1", "a", 2), ("1", "b", 0.5)]


@pytest.mark.parametrize("block_rows", [1, 1000])
def test_all_faults_at_once(monkeypatch, block_rows):
    monkeypatch.setattr(json_rows, "BLOCK_ROWS", block_rows)
    data = (
        b'{"qid": "1", "docid": "d", "score": 1.5}\n\n{"qid": 1, "docid": "d", "score": 2}\n{bad\n[1]\n'
        b'{"qid": 1.5, "docid": "d", "score": true}\n{"qid": "1", "qid": "2", "docid": "e", "score": 1}\n'
        b'{"qid": "1", "score": 1}\n{"qid": "1", "docid": "d", "score": 2}\n'
    )
    assert [problem.partition(";")[0] for problem in problems_of(read_run, data)] == [
        "<bytes>:3: document 'd' is listed twice for query '1', first in line 1",
        "<bytes>:4: not JSON (Expecting property name enclosed in double quotes)",
        "<bytes>:5: a list '[1]'",
        "<bytes>:6: score 'true' of document 'd' for query '1.5' is not a finite number",
        "<bytes>:6: query '1.5' cannot be an id",
        "<bytes>:7: a field is named twice",
        "<bytes>:8: no column for 'doc_id' among 'qid', 'score'",
        "<bytes>:9: document 'd' is listed twice for query '1', first in line 1",
    ]


def test_scores_and_ranks_are_not_mixed():
    data = lines([{"qid": "1", "docid": "a", "score": 1}, {"qid": "1", "docid": "b", "rank": 1}])
    (problem,) = problems_of(read_run, data)
    assert problem.startswith("<bytes>:2: holds a rank, rows before a score")


def test_a_field_is_missing():
    (problem,) = problems_of(read_run, b'{"qid": "1", "score": 1}\n')
    assert problem.startswith("<bytes>:1: no column for 'doc_id' among 'qid', 'score'")


def test_umbrela():
    records = [{**UMBRELA, "judgment": 3, "result_status": 1, "qid": "1", "docid": doc} for doc in ("a", "b")]
    assert list(read_qrels(lines(records))) == [("1", "a", 3), ("1", "b", 3)]


def test_judgments_that_umbrela_only_put_in():
    records = [{**UMBRELA, "judgment": 0, "result_status": 0, "qid": "1", "docid": "a"}]
    (problem,) = problems_of(read_qrels, lines(records))
    assert problem.startswith("<bytes>:1: result_status is '0': umbrela did not understand the answer")


@pytest.mark.parametrize("record", [{**UMBRELA, "result_status": 1}, {"query": "a", "passage": "b"}])
def test_umbrela_without_ids(record):
    """Without a trace its records have no status."""
    (problem,) = problems_of(read_qrels, lines([{**record, "judgment": 3}]))
    assert "no ids; expected 'qid' and 'docid' in every record" in problem


@pytest.mark.parametrize("data", [b"[]", b'[{"qid": "1"', b'[{"qid": "1"}] x', b'[{"a": 1} {"a": 2}]', b"[" * 100_000])
def test_damaged_lists_are_explained(data):
    assert problems_of(read_run, data)
