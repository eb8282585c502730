"""Three columns without a header: read as what was asked for only if they can be nothing else."""

import io

import pytest

from runoff.files import read_qrels, read_run
from tests.files.samples import problems_of

RANKS = b"7\tD1\t1\n7\tD2\t2\n8\tD1\t1\n"
GRADES = b"7 D1 1\n7 D2 0\n8 D1 2.0\n"
SCORES = b"7 D1 12.5\n7 D2 11\n"
HIDDEN = b"".join(b"q%d d 1\n" % query for query in range(10_000))
"""More than is looked at."""


def test_ranks_are_a_run():
    assert [row[:2] for row in read_run(RANKS)] == [("7", "D1"), ("7", "D2"), ("8", "D1")]
    assert len(read_run(io.BytesIO(RANKS))) == 3


def test_grades_are_qrels():
    assert list(read_qrels(GRADES)) == [("7", "D1", 1), ("7", "D2", 0), ("8", "D1", 2)]
    assert list(read_qrels(b"1 a 1\n2 b 1\n")) == [("1", "a", 1), ("2", "b", 1)]


@pytest.mark.parametrize(
    "data, what",
    [
        (GRADES, "not the ranks 1 to n of each query (query '7' has 1, 0); this looks like a qrels file"),
        (SCORES, "not the ranks 1 to n of each query (query '7' has 12.5, 11)"),
        (b"7 D1 1\n7 D2 3\n", "not the ranks 1 to n of each query (query '7' has 1, 3)"),
        (b"7 D1 2\n7 D2 3\n", "not the ranks 1 to n of each query (query '7' has 2, 3)"),
        (b"7 D1 1\n7 D2 1\n", "not the ranks 1 to n of each query (query '7' has 1, 1); this looks like a qrels file"),
    ],
)
def test_what_is_no_run(data, what):
    assert problems_of(read_run, data) == [
        (
            f"<bytes>: three columns, and the third is {what}; expected the ranks of a run; are these ranks, scores or "
            "grades? put a first line above that says it, 'query_id doc_id rank' or 'query_id doc_id score', or read "
            "it as qrels"
        )
    ]


@pytest.mark.parametrize(
    "data, what",
    [
        (RANKS, "a grade or a rank (query '7' has 1, 2)"),
        (SCORES, "not a small whole grade (query '7' has 12.5, 11); this looks like a run file"),
        (b"7 D1 1\n7 D2 0.5\n", "not a small whole grade (query '7' has 1, 0.5); this looks like a run file"),
        (b"7 D1 1\n7 D2 11\n", "not a small whole grade (query '7' has 1, 11); this looks like a run file"),
    ],
)
def test_what_are_no_qrels(data, what):
    assert problems_of(read_qrels, data) == [
        (
            f"<bytes>: three columns, and the third is {what}; expected grades; are these grades, or the ranks or "
            "scores of a run? put a first line above that says it, 'query_id doc_id grade', or read it as a run"
        )
    ]


def test_the_first_line_that_the_message_asks_for():
    assert len(read_run(b"query_id doc_id rank\n7 D1 1\n7 D2 3\n")) == 2
    assert len(read_run(b"query_id doc_id score\n" + SCORES)) == 2
    assert len(read_qrels(b"query_id doc_id grade\n" + RANKS)) == 3


def test_a_line_with_a_fault_has_its_own_message():
    (problem,) = problems_of(read_run, RANKS + b"9 D1 x\n")
    assert problem.startswith("<bytes>:4: rank 'x' is not a whole number")


def test_the_beginning_decides():
    """Behind it every number is looked at by itself; a query that is cut off or comes back is not held to be whole."""
    assert len(read_run(HIDDEN + b"r d1 1\nr d2 3\n")) == 10_002
    both = b"".join(b"a d%d %d\nb d%d %d\n" % (rank, rank, rank, rank) for rank in range(1, 9_000))
    assert len(read_run(both)) == 17_998
    assert len(read_run(b"".join(b"a d%d %d\n" % (rank, rank) for rank in range(1, 9_000)))) == 8_999
