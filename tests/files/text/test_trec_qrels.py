"""TREC qrels: grades, faults, chunks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import RunoffError
from runoff.files.qrels import read_qrels
from tests.files.samples import QRELS, chunks_of, judgments, problems_of, qrels_text

WRITTEN = "check that it was written to the end"
MEND = "fix or remove this line"
GRADE = "is not a number from -127 to 127; expected one such as 0, 1 or 1.8; fix or remove the line"


@given(judgments, st.integers(16, 100))
def test_judgments_are_grouped_by_query(grades, size):
    with pytest.MonkeyPatch.context() as patch:
        chunks_of(patch, size)
        qrels = read_qrels(qrels_text(grades))
    queries = list(dict.fromkeys(query for query, _ in grades))
    rows = [(query, doc, grade) for query in queries for (judged, doc), grade in grades.items() if judged == query]
    assert list(qrels) == rows
    assert qrels.query_ids == tuple(queries)


def test_all_faults_in_one_report():
    data = b"q 0 a 1\nq 0 b 1\nq 0 c\nq 0 a 2\nq 0 d 128\nq 0 e -128\nq 0 \x01 1\nq 0 \xff 1\nq 0 f 1 x\nq 0 g -127\n"
    assert problems_of(read_qrels, data) == [
        f"<bytes>:3: 3 fields; expected 4 (query_id iteration doc_id grade); {MEND}",
        (
            "<bytes>:4: document 'a' is judged twice for query 'q', first in line 1; "
            "expected every document once per query; "
            "remove one of the lines"
        ),
        f"<bytes>:5: grade '128' {GRADE}",
        f"<bytes>:6: grade '-128' {GRADE}",
        "<bytes>:7: control character 0x01; expected text in UTF-8; check that this is a run or qrels file",
        "<bytes>:8: bytes that are not UTF-8; expected text in UTF-8; convert the file",
        f"<bytes>:9: 5 fields; expected 4 (query_id iteration doc_id grade); {MEND}",
    ]


def test_judged_twice_with_the_same_grade_is_a_fault_too():
    (problem,) = problems_of(read_qrels, QRELS + b"\r\n# again\r\n" + b"q1 0 d9 2\r\n")
    assert problem.startswith("<bytes>:6: document 'd9' is judged twice for query 'q1', first in line 2;")


def test_unknown_format():
    assert problems_of(read_qrels, b"q Q0 d 1 0.5 tag\n") == [
        (
            "<bytes>: unknown qrels format: the first line has 6 fields, it begins 'q Q0 d 1 0.5 tag'; this looks like "
            "a run file; expected 4 (query_id iteration doc_id grade); check that this is a qrels file"
        )
    ]


def test_empty():
    assert problems_of(read_qrels, b"#\n") == [
        "<bytes>: the file is empty; expected qrels with a judged document on every line; " + WRITTEN
    ]


PIECES = st.sampled_from(
    [QRELS, b"q1", b" ", b"\t", b"\n", b"\xff", b"\x00", b"#", b"q 0 d 1\n", b"q 0 e ", b"-7\n", b"9" * 20]
)


@given(st.one_of(st.binary(max_size=300), st.lists(PIECES, max_size=20).map(b"".join)), st.integers(16, 100))
def test_any_bytes_give_qrels_or_an_explanation(data, size):
    with pytest.MonkeyPatch.context() as patch:
        chunks_of(patch, size)
        try:
            assert len(read_qrels(data)) > 0
        except RunoffError as error:
            assert str(error)  # noqa: PT017  # either is right


def test_grades_that_are_fractions():
    qrels = read_qrels(b"q 0 a 1.8\nq 0 b 0.1667\nr 0 c 2.0\nr 0 d -0.5\nr 0 e 1e-3\nr 0 f -2\n")
    assert [str(grade) for *_, grade in qrels] == ["1.8", "0.1667", "2", "-0.5", "0.001", "-2"]
    assert qrels.values == (0.001, 0.1667, 1.8, 2.0)


def test_whole_grades_with_a_point():
    qrels = read_qrels(b"q 0 a 1.0\nq 0 b 2.\nq 0 c -1.0\n")
    assert (qrels.values, qrels.below, qrels.relevance.tolist()) == (None, None, [1, 2, -1])
