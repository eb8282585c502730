"""Lists of queries."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import LimitError, RunoffError
from runoff.files import read_query_list
from tests.files.samples import chunks_of, problems_of


@pytest.mark.parametrize("size", [16, 1 << 20])
def test_one_query_per_line(size, monkeypatch):
    chunks_of(monkeypatch, size)
    data = "\ufeff# the hard ones\r\nq7\r\n\r\n  301\t\nqé".encode()
    assert read_query_list(data) == read_query_list(gzip.compress(data)) == ("q7", "301", "qé")


def test_faults():
    assert problems_of(read_query_list, b"a\nb c\n\na\n\x00\n\xff\n") == [
        "<bytes>:2: 2 fields; expected 1 (query_id); fix or remove this line",
        "<bytes>:4: query 'a' is listed twice, first in line 1; expected every query once; remove one of the lines",
        "<bytes>:5: control character 0x00; expected text in UTF-8; check that this is a run or qrels file",
        "<bytes>:6: bytes that are not UTF-8; expected text in UTF-8; convert the file",
    ]


def test_empty():
    assert problems_of(read_query_list, b"# none\n") == [
        "<bytes>: the file is empty; expected one query id per line; check the path"
    ]


def test_limit():
    with pytest.raises(LimitError):
        read_query_list(b"a\nb\n", max_bytes=3)


@given(st.binary(max_size=200))
def test_any_bytes_give_a_list_or_an_explanation(data):
    try:
        assert read_query_list(data)
    except RunoffError as error:
        assert str(error)  # noqa: PT017  # either is right
