"""The text formats of runs: TREC and MS MARCO."""

import pytest

from runoff.files import read_run
from tests.files.samples import problems_of


def test_scores_order_the_documents_and_ranks_do_not():
    run = read_run(b"q Q0 a 1 1e-7 t\nq Q0 b 2 -2.97 t\nq Q0 c 3 626487.645259 t\nq Q0 d x 0 t\n")
    assert list(run) == [("q", "c", 626487.645259), ("q", "a", 1e-7), ("q", "d", 0.0), ("q", "b", -2.97)]


def test_spaces_tabs_and_line_ends():
    run = read_run(b"\xef\xbb\xbf q\tQ0  a 1\t 2 t\r\n\n#q Q0 x 1 9 t\nq Q0 b 1 1 t")
    assert list(run) == [("q", "a", 2.0), ("q", "b", 1.0)]


@pytest.mark.parametrize(
    "name", ['"d"', "'", "a,b", "d#1", "<&>", "dé", "日本語", "\u00a0", "🙂", "x" * 500, "\\n", "%s"]
)
def test_any_text_without_spaces_is_an_id(name):
    assert list(read_run(f"{name} Q0 {name} 1 1 {name}\n".encode())) == [(name, name, 1.0)]


def test_a_tag_may_have_spaces():
    """As in results.trunc of trec_eval's own tests."""
    assert list(read_run(b"q Q0 a 1 2 t more junk\nq Q0 b 2 1 t\n")) == [("q", "a", 2.0), ("q", "b", 1.0)]


@pytest.mark.parametrize("score", ["nan", "inf", "-inf", "1_000", "0x1F", "1e999", "abc", "1,5", "--1", "1/2", "3-4"])
def test_scores_that_are_no_finite_numbers(score):
    assert problems_of(read_run, f"q Q0 a 1 1 t\nq Q0 b 1 {score} t\n".encode()) == [
        f"<bytes>:2: score '{score}' is not a finite number; expected one such as 12.5 or 1e-7; fix or remove this line"
    ]


def test_ranks_order_the_documents():
    run = read_run(b"7\tD3\t3\n7\tD1\t2\n7\tD2\t1\n8\tD1\t1\n")
    assert [(query, doc) for query, doc, _ in run] == [("7", "D2"), ("7", "D1"), ("7", "D3"), ("8", "D1")]


def test_spaces_do_too():
    assert list(read_run(b"7 D1 2\n7\tD2 1\n")) == [("7", "D2", -1.0), ("7", "D1", -2.0)]


@pytest.mark.parametrize("rank", ["0", "-1", "1.0", "x", "1e2", "9" * 19])
def test_ranks_that_are_none(rank):
    """Behind the beginning, by which the format is told; there they are one fault of the whole file."""
    before = b"".join(b"%d\tD1\t1\n" % query for query in range(9_999))
    assert problems_of(read_run, before + f"q\tD2\t{rank}\n".encode()) == [
        (
            f"<bytes>:10000: rank '{rank}' is not a whole number of 1 or more; expected one such as 7; "
            "fix or remove this line"
        )
    ]


def test_wrong_number_of_fields():
    assert problems_of(read_run, b"7\tD1\t1\n7\tD2\t2\t0.5\n7\n7\tD1\t3\n") == [
        "<bytes>:2: 4 fields; expected 3 (query_id doc_id rank); fix or remove this line",
        "<bytes>:3: 1 field; expected 3 (query_id doc_id rank); fix or remove this line",
        (
            "<bytes>:4: document 'D1' is listed twice for query '7', first in line 1; "
            "expected every document once per query; "
            "remove one of the lines, or choose what counts with --duplicates"
        ),
    ]
