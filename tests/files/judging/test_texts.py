"""Texts of collections, whatever their form."""

import gzip
import io
import json

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import InputError
from runoff.files import read_texts
from runoff.files.judging.texts import WantedIds, json_part, text_of, tsv_part
from runoff.tables.ids import Text
from tests.files.samples import chunks_of, problems_of, weaken_hashes

ROWS = {f"d{number}": f"text {number} é" for number in range(300)}
TSV = "".join(f"{one}\t{text}\n" for one, text in ROWS.items()).encode()
JSONL = "".join(json.dumps({"id": one, "contents": text}) + "\n" for one, text in ROWS.items()).encode()
LATE = "".join(json.dumps({"text": text, "_id": one}, ensure_ascii=False) + "\n" for one, text in ROWS.items()).encode()
WANTED = ["d299", "d0", "d17", "nobody"]


@pytest.mark.parametrize(
    "data", [TSV, JSONL, LATE, gzip.compress(TSV, mtime=0), TSV.replace(b"\n", b"\r\n"), TSV.rstrip(b"\n")]
)
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
        (b"a\tx\nb\n", "<bytes>:2: 'b' has no tab after an id"),
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


names = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), min_size=1, max_size=12)


@given(st.dictionaries(names, st.text("ab \té", max_size=9), min_size=1, max_size=20), st.sets(names, max_size=5))
def test_tsv_against_plain_splitting(rows, others):
    wanted = [one for place, one in enumerate(rows) if place % 2] + sorted(others)
    data = "".join(f"{one}\t{text}\n" for one, text in rows.items())
    part = tsv_part(Text.of(data.encode()), WantedIds.of(wanted))
    assert part.line_count == len(rows)
    assert [(one, text) for _, one, text in part.rows] == [
        (one, text.replace("\t", "\n")) for one, text in rows.items() if one in wanted
    ]


@pytest.mark.parametrize(
    "line", ['{"id":"a\\u0062","text":"x"}', '{"text":"x","id":"ab"}', ' { "pid" : "ab", "text":"x"}']
)
def test_ids_however_they_are_written(line):
    part = json_part(Text.of(f"{line}\n".encode()), WantedIds.of(["ab"]))
    assert part.rows == [(1, "ab", "x")]


def test_a_record_without_text():
    assert text_of({"title": "T"}) is None


def parquet(**columns):
    file = io.BytesIO()
    pl.DataFrame(columns).write_parquet(file)
    return file.getvalue()


@pytest.mark.parametrize("ids", [["1", "2", "3"], [1, 2, 3]])
def test_ids_as_text_or_numbers(ids, tmp_path):
    data = parquet(doc_id=ids, title=["A", None, "C"], text=["a", "b", "c"])
    (tmp_path / "docs.parquet").write_bytes(data)
    for source in (data, tmp_path / "docs.parquet"):
        found = read_texts(source, ["3", "2", "9"])
        assert (found.by_id, found.missing) == ({"3": "C\nc", "2": "b"}, ("9",))


def test_faults_text_parquet():
    assert "the columns are x; expected an id" in problems_of(lambda s: read_texts(s, ["1"]), parquet(x=[1]))[0]
    assert "not a readable Parquet file" in problems_of(lambda s: read_texts(s, ["1"]), b"PAR1 broken")[0]
