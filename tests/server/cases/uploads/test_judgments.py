"""Judgments that somebody sent are those that `runoff tally` reads."""

from __future__ import annotations

import pytest

from runoff.errors import InputError
from runoff.files.judging.judgments import read_judgments
from runoff.server.cases.uploads.judging_files import read_judgments_apart
from runoff.server.cases.uploads.limited_process import LimitedReader
from tests.server.cases.reading_here import HERE

ROWS = (
    b"query_id,left,right,preferred,assessor,task,seconds,expected\n"
    b"q1,a,b,a,ann,t1,2.5,\nq1,b,c,tie,ann,t1,,\nq2,a,d,d,,,3,d\n"
)


@pytest.mark.parametrize("reader", [HERE, LimitedReader()], ids=["here", "apart"])
def test_all_of_every_row_comes_back(tmp_path, reader):
    (tmp_path / "rows").write_bytes(ROWS)
    for source in (tmp_path / "rows", ROWS):
        assert list(read_judgments_apart(source, reader=reader)) == list(read_judgments(source))


def test_faults_name_the_file(tmp_path):
    (tmp_path / "rows").write_bytes(b"q1 a b c\n")
    with pytest.raises(InputError, match=f"^{tmp_path}/rows:1: "):
        read_judgments_apart(tmp_path / "rows", reader=HERE)
