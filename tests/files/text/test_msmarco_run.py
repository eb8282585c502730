"""MS MARCO runs: in the order of their ranks."""

import pytest

from runoff.files import read_run
from tests.files.samples import problems_of


def test_ranks_order_the_documents():
    run = read_run(b"7\tD3\t10\n7\tD1\t2\n7\tD2\t1\n8\tD1\t1\n")
    assert [(query, doc) for query, doc, _ in run] == [("7", "D2"), ("7", "D1"), ("7", "D3"), ("8", "D1")]


def test_spaces_do_too():
    assert list(read_run(b"7 D1 2\n7\tD2 1\n")) == [("7", "D2", -1.0), ("7", "D1", -2.0)]


@pytest.mark.parametrize("rank", ["0", "-1", "1.0", "x", "1e2", "9" * 19])
def test_ranks_that_are_none(rank):
    assert problems_of(read_run, f"7\tD1\t1\n7\tD2\t{rank}\n".encode()) == [
        f"<bytes>:2: rank '{rank}' is not a whole number of 1 or more; expected one such as 7; fix or remove this line"
    ]


def test_wrong_number_of_fields():
    assert problems_of(read_run, b"7\tD1\t1\n7\tD2\t2\t0.5\n7\n7\tD1\t3\n") == [
        "<bytes>:2: 4 fields; expected 3 (query_id doc_id rank); fix or remove this line",
        "<bytes>:3: 1 field; expected 3 (query_id doc_id rank); fix or remove this line",
        (
            "<bytes>:4: document 'D1' is listed twice for query '7', first in line 1; "
            "expected every document once per query; "
            "remove one of the lines"
        ),
    ]
