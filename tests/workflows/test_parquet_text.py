"""Parquet from strangers."""

from __future__ import annotations

import sys

import polars as pl
import pytest

from runoff.errors import InputError
from runoff.files.runs import read_run
from runoff.workflows.parquet_text import write_parquet_as_text, write_text


@pytest.fixture
def run(tmp_path):
    frame = pl.DataFrame({"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "b", "a"], "score": [0.1 + 0.2, 1e-9, 3.0]})
    frame.write_parquet(tmp_path / "a.parquet")
    return tmp_path / "a.parquet"


def test_the_text_is_the_same_run(run, tmp_path):
    write_parquet_as_text(run, tmp_path / "a.txt", max_bytes=10**6)
    assert list(read_run(tmp_path / "a.txt")) == list(read_run(run))


def test_faults_are_told(tmp_path):
    bad = tmp_path / "bad.parquet"
    bad.write_bytes(b"PAR1" + b"x" * 50 + b"PAR1")
    with pytest.raises(InputError, match=r"bad\.parquet"):
        write_parquet_as_text(bad, tmp_path / "a.txt", max_bytes=10**6)
    with pytest.raises(InputError, match=r"bad\.parquet"):
        write_text(str(bad), str(tmp_path / "a.txt"), 10**6)


def test_a_reader_that_dies_or_hangs_is_a_fault_of_the_file(run, tmp_path, monkeypatch):
    with pytest.raises(InputError, match="more than 0 s"):
        write_parquet_as_text(run, tmp_path / "a.txt", max_bytes=10**6, seconds=0.001)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(InputError, match="damaged"):
        write_parquet_as_text(run, tmp_path / "a.txt", max_bytes=10**6)
