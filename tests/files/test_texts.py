"""Texts of collections, whatever their form."""

import gzip
import json

import pytest

from runoff.errors import InputError
from runoff.files import read_texts
from tests.files.samples import chunks_of, problems_of, weaken_hashes

ROWS = {f"d{number}": f"text {number} é" for number in range(300)}
TSV = "".join(f"{one}\t{text}\n" for one, text in ROWS.items()).encode()
JSONL = "".join(json.dumps({"id": one, "contents": text}) + "\n" for one, text in ROWS.items()).encode()
LATE = "".join(json.dumps({"text": text, "_id": one}, ensure_ascii=False) + "\n" for one, text in ROWS.items()).encode()
WANTED = ["d299", "d0", "d17", "nobody"]


@pytest.mark.parametrize("data", [TSV, JSONL, LATE, gzip.compress(TSV), TSV.replace(b"\n", b"\r\n"), TSV.rstrip(b"\n")])
@pytest.mark.parametrize("size", [1 << 22, 64])
def test_every_form_says_the_same(data, size, monkeypatch):
    chunks_of(monkeypatch, size)
    found = read_texts(data, WANTED)
    assert found.by_id == {one: ROWS[one] for one in WANTED[:3]}
    assert found.missing == ("nobody",)


def test_hashes_that_collide(monkeypatch):
    weaken_hashes(monkeypatch)
    assert read_texts(TSV, WANTED).by_id == {one: ROWS[one] for one in WANTED[:3]}


def test_documents_with_more_columns_and_titles():
    assert read_texts(b"D1\thttp://x\tTitle\tBody\n", ["D1"]).by_id == {"D1": "http://x\nTitle\nBody"}
    line = b'{"docid": 7, "title": "T", "url": "", "body": "B"}\n'
    assert read_texts(line, ["7"]).by_id == {"7": "T\nB"}


def test_a_long_document_is_read():
    assert len(read_texts(b"a\t" + b"x" * (3 << 20) + b"\n", ["a"]).by_id["a"]) == 3 << 20


def test_missing_texts_are_named():
    with pytest.raises(InputError, match="no text of document 'nobody'; expected one for every document"):
        read_texts(TSV, WANTED).require_all("document")


@pytest.mark.parametrize(
    "data, start",
    [
        (b"a\tx\nb\n", "<bytes>:2: 'b' has no tab behind an id"),
        (b"a\tx\na\ty\n", "<bytes>:2: id 'a' is listed twice with different texts"),
        (b"", "<bytes>: the file is empty"),
        (b'{"id": "a", "text": "x"}\n{"text": 1}\n', "<bytes>:2: no id"),
        (b'{"id": "a", "mood": "x"}\n', "<bytes>:1: no text"),
        (b'{"id": "a", "text": "x"}\n[1]\n', "<bytes>:2: a list"),
        (b'{"id": "a", "text": "x"}\n{"x\n', "<bytes>:2: not JSON"),
        (b"a\t\xff\n", "<bytes>:1: bytes that are not UTF-8"),
    ],
)
def test_faults(data, start):
    assert problems_of(lambda source: read_texts(source, ["a"]), data)[0].startswith(start)
