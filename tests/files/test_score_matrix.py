"""Score matrices: CSV and Parquet."""

import csv
import io

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import LimitError, RunoffError
from runoff.files import read_score_matrix
from tests.files.samples import chunks_of, problems_of

TABLE = b"query_id,bm25,dense\nq1,0.5,1\nq2,1e-7,-2.97\n"


def packed(frame):
    data = io.BytesIO()
    frame.write_parquet(data)
    return data.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        TABLE,
        b"\xef\xbb\xbf" + TABLE.replace(b"\n", b"\r\n\r\n"),
        b' QID ,"bm25",dense\n"q1", 0.5 ,1.0\nq2,1e-7,-2.97',
        b"bm25,dense,topic\n0.5,1,q1\n1e-7,-2.97,q2",
        packed(pl.DataFrame({"query": ["q1", "q2"], "bm25": [0.5, 1e-7], "dense": [1.0, -2.97]})),
    ],
    ids=["plain", "BOM, CRLF, blank lines", "quotes and spaces", "ids at the end", "Parquet"],
)
@pytest.mark.parametrize("size", [16, 1 << 20])
def test_forms(data, size, monkeypatch):
    chunks_of(monkeypatch, size)
    scores = read_score_matrix(data, measure="AP")
    assert (scores.measure, scores.query_ids, scores.runs) == ("AP", ("q1", "q2"), ("bm25", "dense"))
    assert scores.values.tolist() == [[0.5, 1.0], [1e-7, -2.97]]


def test_without_query_ids_the_rows_are_numbered():
    assert read_score_matrix(b"a,b\n1,2\n3,4\n").query_ids == ("1", "2")


@given(st.lists(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=2), min_size=1))
def test_values_are_read_exactly(rows):
    text = io.StringIO()
    csv.writer(text).writerows([["a", "b"], *rows])
    assert read_score_matrix(text.getvalue().encode()).values.tolist() == rows


MEND = "fix or remove the row"


def test_all_faults_in_one_report():
    data = b"query_id,a,a,b,\nq1,1,2\nq2,nan,1_0,0x1,1\n\nq3,,inf,x,1\n"
    number = "is not a finite number; expected one such as 0.25"
    assert problems_of(read_score_matrix, data) == [
        "<bytes>:1: run 'a' is listed twice in the first row; expected every run once; rename one",
        "<bytes>:1: column 5 has no name; expected 'query_id' or the name of a run; name it",
        f"<bytes>:2: 3 fields; expected 5 as in the first row; {MEND}",
        f"<bytes>:3: score 'nan' of run 'a' {number}; {MEND}",
        f"<bytes>:3: score '1_0' of run 'a' {number}; {MEND}",
        f"<bytes>:3: score '0x1' of run 'b' {number}; {MEND}",
        f"<bytes>:5: score '' of run 'a' {number}; {MEND}",
        f"<bytes>:5: score 'inf' of run 'a' {number}; {MEND}",
        f"<bytes>:5: score 'x' of run 'b' {number}; {MEND}",
    ]


def test_a_query_twice():
    assert problems_of(read_score_matrix, b"qid,a\nq1,1\nq2,1\nq1,2\n") == [
        "<bytes>:4: query 'q1' is listed twice, first in line 2; expected every query once; remove one of the rows"
    ]


@pytest.mark.parametrize(
    "data, counts",
    [
        (b"a,b\n", "0 rows, 2 runs and 0"),
        (b"qid\n1\n", "1 rows, 0 runs and 1"),
        (b"qid,query,a\n1,2,3\n", "1 rows, 1 runs and 2"),
    ],
)
def test_not_enough(data, counts):
    assert problems_of(read_score_matrix, data) == [
        (
            f"<bytes>: {counts} columns of query ids; "
            "expected at least one row, one run and at most one column of query ids; "
            "check the file"
        )
    ]


def test_empty():
    assert problems_of(read_score_matrix, b"\n\n") == [
        (
            "<bytes>: the file is empty; expected scores with queries in rows and runs in columns; "
            "check that it was written to "
            "the end"
        )
    ]


@pytest.mark.parametrize("data", [b'a,b\n"x\n', b"a,b\n\xff,1\n", b'a,b\n"1"2,3\n'])
def test_no_csv(data):
    (problem,) = problems_of(read_score_matrix, data)
    assert problem.startswith("<bytes>: not a CSV file (")
    assert problem.endswith("); expected scores with queries in rows and runs in columns; write it again")


def test_missing_values_of_parquet_are_faults():
    data = packed(pl.DataFrame({"qid": ["q"], "a": [None]}, schema={"qid": pl.String, "a": pl.Float64}))
    (problem,) = problems_of(read_score_matrix, data)
    assert problem.startswith("<bytes>:1: score 'None' of run 'a' is not a finite number;")


def test_limit():
    with pytest.raises(LimitError):
        read_score_matrix(TABLE, max_bytes=10)


CELLS = st.sampled_from([TABLE, b"a,b\n", b"1", b",", b"\n", b'"', b"\r", b"\x00", b"\xff", b"nan", b"qid"])


@given(st.one_of(st.binary(max_size=200), st.lists(CELLS, max_size=20).map(b"".join)))
def test_any_bytes_give_scores_or_an_explanation(data):
    try:
        assert read_score_matrix(data).values.size
    except RunoffError as error:
        assert str(error)  # noqa: PT017  # either is right


@pytest.mark.parametrize(
    "name, queries, runs",
    [
        ("adhoc5_ap", 50, 61),
        ("adhoc6_rr", 50, 74),
        ("adhoc8_p10", 50, 129),
        ("web2010_ndcg20", 48, 88),
        ("web2011_err20", 50, 62),
    ],
)
def test_topic_scores(shared_data, name, queries, runs):
    scores = read_score_matrix(shared_data / "topic-scores" / f"{name}.csv")
    assert scores.values.shape == (queries, runs)
    assert ((scores.values >= 0) & (scores.values <= 1)).all()
