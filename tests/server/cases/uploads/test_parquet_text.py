"""Parquet from strangers."""

from __future__ import annotations

import polars as pl
import pytest

from runoff.errors import InputError
from runoff.files.runs import read_run
from runoff.server.cases.uploads.run import write_text


def test_the_text_is_the_same_run(tmp_path):
    run = tmp_path / "a.parquet"
    frame = pl.DataFrame({"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "b", "a"], "score": [0.1 + 0.2, 1e-9, 3.0]})
    frame.write_parquet(run)
    write_text(str(run), str(tmp_path / "a.txt"), 10**6)
    assert list(read_run(tmp_path / "a.txt")) == list(read_run(run))


def test_faults_are_told(tmp_path):
    bad = tmp_path / "bad.parquet"
    bad.write_bytes(b"PAR1" + b"x" * 50 + b"PAR1")
    with pytest.raises(InputError, match=r"bad\.parquet"):
        write_text(str(bad), str(tmp_path / "a.txt"), 10**6)
