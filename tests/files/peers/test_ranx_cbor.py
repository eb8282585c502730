"""Runs that ranx saves as `.lz4`; what ranx itself writes is read in tests/files/test_round_trips.py."""

import struct

import pytest

from runoff.files import read_qrels, read_run
from tests.files.samples import problems_of


def text(value):
    data = value.encode()
    return (bytes([0x60 + len(data)]) if len(data) < 24 else b"\x78" + bytes([len(data)])) + data


def cbor(run):
    data = b"\xb9" + struct.pack(">H", len(run))
    for query, docs in run.items():
        data += text(query) + bytes([0xA0 + len(docs)])
        data += b"".join(text(doc) + number for doc, number in docs.items())
    return data


def double(value):
    return b"\xfb" + struct.pack(">d", value)


RUN = cbor({"q1": {"d2": double(2.5), "d1": b"\xfa" + struct.pack(">f", 1.5)}, "q2": {"x" * 40: b"\x19\x01\x00"}})


def test_a_run():
    assert list(read_run(RUN)) == [("q1", "d2", 2.5), ("q1", "d1", 1.5), ("q2", "x" * 40, 256.0)]
    assert list(read_run(b"\xa1" + text("q") + b"\xa2" + text("d") + b"\x20" + text("e") + b"\xf9\x3c\x00")) == [
        ("q", "e", 1.0),
        ("q", "d", -1.0),
    ]


def test_qrels():
    assert list(read_qrels(cbor({"q": {"d": b"\x02"}}))) == [("q", "d", 2)]


@pytest.mark.parametrize("length", range(4, len(RUN)))
def test_what_is_cut_off(length):
    (problem,) = problems_of(read_run, RUN[:length])
    assert "ends too early" in problem


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"\xa1\x61q\x01", "no map"),
        (b"\xa1\x61q\xa1\x01\x01", "no text"),
        (b"\xa1\x61q\xa1\x61d\x61x", "no number"),
        (b"\xa1\x61q\xa1\x61\xff\x01", "bytes that are not UTF-8"),
        (b"\xa1\x61q\xbf\x61d\x01\xff", "an item of unknown length"),
        (b"\xbb" + b"\xff" * 8 + b"\x61q\xbb" + b"\xff" * 8 + b"\x61d\x01", "ends too early"),
    ],
)
def test_other_cbor(data, reason):
    (problem,) = problems_of(read_run, data)
    assert reason in problem


def test_numbers_are_checked():
    (problem,) = problems_of(read_run, cbor({"q": {"d": double(float("nan"))}}))
    assert "score 'NaN' of document 'd' for query 'q' is not a finite number" in problem
