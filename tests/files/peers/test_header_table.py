"""Tables with a header: CSV, TSV, semicolons and spaces; BEIR's and Quepid's among them."""

import gzip
import io
from functools import partial

import pytest

from runoff.files import read_qrels, read_run, streams
from runoff.files.peers import PEER_FORMATS, _base, header_table, peer_format
from tests.files.samples import problems_of

ROWS = [("q1", "d1", 2.5), ("q1", "d2", -1.0), ("q2", "d1", 1e-7)]


@pytest.mark.parametrize("separator", ["\t", ",", ";", " ", ", "], ids=repr)
@pytest.mark.parametrize(
    "header",
    [
        ("query_id", "doc_id", "score"),
        ("qid", "docno", "score"),
        ("q_id", "doc_id", "score"),
        ("Query-ID", "DocID", "Score"),
        ("topic", "pid", "run_score"),
        ("query", "did", "score"),
    ],
)
def test_runs(separator, header):
    lines = [separator.join(map(str, row)) for row in (header, *ROWS)]
    assert list(read_run("\n".join(lines).encode())) == ROWS


def test_order_of_columns_other_columns_and_line_ends():
    data = b"\xef\xbb\xbf# made by hand\r\n\r\nrank,tag,docno,qid,score\r\n1,t,d1,q1,2.5\r\n\r\n2,t,d2,q1,-1\r\n"
    assert list(read_run(data)) == ROWS[:2]


def test_docno_counts_beside_the_docid_of_pyterrier():
    assert list(read_run(b"qid,docid,docno,rank,score,query\nq,17,d1,0,2.5,some words\n")) == [("q", "d1", 2.5)]


def test_ranks_alone():
    assert list(read_run(b"query_id doc_id rank\nq d 10\nq e 1\n")) == [("q", "e", -1.0), ("q", "d", -10.0)]


@pytest.mark.parametrize("grade", ["relevance", "label", "grade", "rel", "rating", "judgment", "score"])
def test_qrels(grade):
    data = f"query-id\tcorpus-id\t{grade}\nq1\td1\t2\nq1\td2\t0\n".encode()
    assert list(read_qrels(data)) == [("q1", "d1", 2), ("q1", "d2", 0)]
    assert list(read_qrels(io.BytesIO(gzip.compress(data)))) == [("q1", "d1", 2), ("q1", "d2", 0)]


def test_quepid():
    """A query is its text, which may have spaces and commas."""
    rows = list(read_qrels(b'query,docid,rating\n"red, long dress",d1,3\nshoes,"d,2",\t0\n'))
    assert rows == [("red, long dress", "d1", 3), ("shoes", "d,2", 0)]


def test_what_nobody_rated_in_quepid():
    """Its export has a row for such a query, and an empty rating for such a document."""
    assert list(read_qrels(b"query,docid,rating\nboots\nhats,d1,\nshoes,d2,0\n")) == [("shoes", "d2", 0)]
    assert "expected 3 as in the header" in problems_of(read_qrels, b"query,docid,label\nboots\nshoes,d2,0\n")[0]


@pytest.mark.parametrize("others", [b"", b'"q",d9999999,0.5\n', b"\n", b"q,a"])
def test_large_files(others, monkeypatch):
    """Several chunks, and what is odd is in the last one alone."""
    monkeypatch.setattr(streams, "CHUNK_BYTES", 1 << 16)
    rows = b"".join(b"q%d,d%d,%d\r\n" % (row % 100, row, row) for row in range(10_000))
    read = partial(read_run, b"# x\nqid,docno,score\n" + rows + others)
    if others == b"q,a":
        (problem,) = problems_of(read)
        assert problem.startswith("<bytes>:10003: 2 fields")
    else:
        run = list(read())
        assert run[0] == ("q0", "d9900", 9900.0)
        assert len(run) == 10_000 + others.startswith(b'"')


def test_fractions_are_kept_where_the_column_says_that_they_are_grades():
    assert list(read_qrels(b"qid,docid,relevance\nq,a,1.8\nq,b,1.0\n")) == [("q", "a", 1.8), ("q", "b", 1)]


def test_scores_are_no_grades():
    assert problems_of(read_qrels, b"query-id\tcorpus-id\tscore\nq1\td1\t2.5\n") == [
        (
            "<bytes>: the column 'score' holds 2.5; this looks like a run; expected grades, whole numbers up to 10; "
            "if these are grades, call the column 'relevance'"
        )
    ]


def test_qrels_of_beir_are_no_run():
    assert problems_of(read_run, b"query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n") == [
        (
            "<bytes>: the column 'score' holds whole numbers up to 2 alone; this looks like qrels of BEIR; "
            "expected scores; if these are scores, call the columns query_id, doc_id and score"
        )
    ]
    assert len(read_run(b"query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0.5\n")) == 2


def test_the_other_kind_by_its_columns():
    (problem,) = problems_of(read_qrels, b"qid,docno,rank,score\nq,d,1,2\n")
    assert "'rank' is a column of runs" in problem
    (problem,) = problems_of(read_run, b"qid,docno,label\nq,d,1\n")
    assert "'label' is a column of qrels" in problem


def test_all_faults_at_once(monkeypatch):
    data = b"qid,docno,score\nq,a,abc\nq,,1\nq,c\nq,\xff,nan\nq,d,1_0\nq,e,2\nq,e,3\n"
    number = "is not a finite number; expected one such as 12.5 or 1e-7; fix or remove this row"
    expected = [
        f"<bytes>:2: score 'abc' of document 'a' for query 'q' {number}",
        "<bytes>:3: document '' cannot be an id; expected text or a whole number; fix it",
        "<bytes>:4: 2 fields; expected 3 as in the header (qid, docno, score); fix or remove this line",
        f"<bytes>:5: score 'nan' of document '\\udcff' for query 'q' {number}",
        "<bytes>:5: document '\\udcff' cannot be an id; expected text or a whole number; fix it",
        f"<bytes>:6: score '1_0' of document 'd' for query 'q' {number}",
        (
            "<bytes>:8: document 'e' is listed twice for query 'q', first in line 7; "
            "expected every document once per query; remove one of the lines, or choose what counts with --duplicates"
        ),
    ]
    assert problems_of(read_run, data) == expected
    monkeypatch.setattr(header_table, "BLOCK_ROWS", 2)
    assert problems_of(read_run, data) == expected


@pytest.mark.parametrize(
    "data, expected",
    [
        (b"qid,docno,score\n", "no rows; expected ranked documents"),
        (b"qid,docno,score,Score\nq,d,1,2\n", ":1: two columns are called 'score'"),
        (b"qid,docno,mood\nq,d,1\n", ":1: no column for 'run_score' among 'qid', 'docno', 'mood'"),
        (b'qid,docno,score\nq,"d,1\n', ":2: unexpected end of data"),
    ],
)
def test_whole_files(data, expected):
    (problem,) = problems_of(read_run, data)
    assert expected in problem


def test_lines_of_trec_are_none():
    """Even if a query is called `query`, or the file is cut off in the header's quotes."""
    for head in (b"query 0 doc 1\n", b"topic Q0 doc 1 2.5 tag\n", b'qid,"docno\n', b"", b"#qid,docno,score\n"):
        assert peer_format(head) is None


def test_formats_are_listed_once():
    assert len({form.name for form in PEER_FORMATS}) == len(PEER_FORMATS)
    assert all(isinstance(form, _base.PeerFormat) for form in PEER_FORMATS)
