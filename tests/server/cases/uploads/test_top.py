"""The top of a stranger's run is the top of the run."""

from __future__ import annotations

import numpy as np
import pytest

from runoff.files.runs import read_run
from runoff.server.cases.uploads.limited_process import LimitedReader
from runoff.server.cases.uploads.run import _run, read_top, top_in
from tests.server.cases.reading_here import HERE
from tests.server.cases.served import run_text


@pytest.mark.parametrize("text", [run_text(1), "q1\td2\t1\nq1\td1\t2\nq2\td1\t1\n"], ids=["TREC", "MS MARCO"])
@pytest.mark.parametrize("reader", [HERE, LimitedReader()], ids=["here", "apart"])
def test_it_is_the_top_of_the_run(tmp_path, text, reader):
    path = tmp_path / "run"
    path.write_text(text)
    found = read_top(path, 2, name="mine", called="a.run", reader=reader)
    expected = read_run(path).top(2)
    assert (found.name, list(found), found.tie_rule) == ("mine", list(expected), expected.tie_rule)


@pytest.mark.parametrize("change", [
    {"bounds": np.array([0, 5])}, {"bounds": np.array([0, 3, 2, 4])}, {"docs": ["a"]}, {"query_ids": []},
    {"run_scores": np.zeros(4, dtype=np.int64)}, {"bounds": np.zeros(0, dtype=np.int64)},
])  # fmt: skip
def test_rows_that_do_not_belong_together_are_refused(tmp_path, change):
    (tmp_path / "run").write_text("q1 Q0 a 1 4 x\nq1 Q0 b 1 3 x\nq2 Q0 a 1 4 x\nq3 Q0 b 1 3 x\n")
    plain = top_in(str(tmp_path / "run"), 2, "a.run", 1000)
    assert len(_run(plain, "mine")) == 4
    with pytest.raises((ValueError, IndexError)):
        _run({**plain, **change}, "mine")
