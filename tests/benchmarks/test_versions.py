"""Two versions of runoff are timed in turn; here it is the same one twice."""

import pytest

from benchmarks import versions
from benchmarks.data import ROOT

pytestmark = pytest.mark.program


def test_every_command_is_timed_with_both_versions(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RUNOFF_BENCH_DIR", str(tmp_path))
    versions.main([str(ROOT), "--rounds", "1", "--queries", "5", "--board", "20", "5"])
    header, _, *rows = capsys.readouterr().out.splitlines()
    assert header.startswith("| command | before, best s | after, best s |")
    assert [row.split()[1] for row in rows] == ["evaluate,", "evaluate,", "compare,", "compare,", "board,", "report,"]
    assert all(float(cell) > 0 for row in rows for cell in row.split("|")[2:6])
