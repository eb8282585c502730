"""Judgments in whatever form, told by content."""

import bz2
import gzip
import io
import lzma

import pytest

from runoff.errors import LimitError
from runoff.files import read_judgments
from tests.files.samples import problems_of

FORMS = [
    b"q d1 d2 d2\nq d3 d1 d1\n",
    b"q 0 0 d1 0\nq 0 0 d2 1\nq 0 1 d1 1\nq 0 1 d3 0\n",
    b"query,left,right,preferred\nq,d1,d2,right\nq,d3,d1,d1\n",
    b"qid\tdoc_a\tdoc_b\tpreferred\nq\td1\td2\tB\nq\td3\td1\tb\n",
    (
        b'{"query": "q", "left": "d1", "right": "d2", "preferred": "d2"}\n'
        b'{"query": "q", "left": "d3", "right": "d1", "preferred": "b"}\n'
    ),
]


def said(table):
    return {(row.query_id, frozenset((row.left, row.right)), row.preferred) for row in table}


@pytest.mark.parametrize("data", FORMS)
@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_every_form_says_the_same(data, compress, tmp_path):
    file = tmp_path / "votes.txt.gz"
    file.write_bytes(compress(b"\xef\xbb\xbf# by hand\n\n" + data))
    expected = {("q", frozenset(("d1", "d2")), "d2"), ("q", frozenset(("d1", "d3")), "d1")}
    assert said(read_judgments(file)) == said(read_judgments(io.BytesIO(data))) == expected
    assert read_judgments(file).name == "votes.txt"


def test_five_fields_are_judged_pairs_if_the_fourth_is_one_of_the_two():
    (row,) = read_judgments(b"q 1 2 2 7\n")
    assert (row.left, row.right, row.preferred, row.assessor) == ("1", "2", "2", "7")


@pytest.mark.parametrize(
    "data, start",
    [
        (b"", "<bytes>: the file is empty; expected preference judgments"),
        (b"q a\n", "<bytes>: unknown format of judgments, the first line begins 'q a'; expected judged pairs"),
        (b"q 0 d1 1\n", "<bytes>: the first line, 'q 0 d1 1', looks like qrels;"),
        (b"q a b c ann\n", "<bytes>:1: preferred 'c' is neither 'a' nor 'b'"),
    ],
)
def test_what_cannot_be_read(data, start):
    (problem,) = problems_of(read_judgments, data)
    assert problem.startswith(start)


def test_limit():
    with pytest.raises(LimitError):
        read_judgments(b"q a b a\nq a b b\n", max_bytes=10)
