"""Texts in Parquet."""

import io

import polars as pl
import pytest

from runoff.files import read_texts
from tests.files.samples import problems_of


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


def test_faults():
    assert "the columns are x; expected an id" in problems_of(lambda s: read_texts(s, ["1"]), parquet(x=[1]))[0]
    assert "not a readable Parquet file" in problems_of(lambda s: read_texts(s, ["1"]), b"PAR1 broken")[0]
