"""Two versions of runoff are timed in turn; here it is the same one twice."""

import pytest

from benchmarks import versions
from benchmarks.data import ROOT


@pytest.mark.program
def test_every_command_is_timed_with_both_versions(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RUNOFF_BENCH_DIR", str(tmp_path))
    versions.main([str(ROOT), "--rounds", "1", "--queries", "5", "--board", "20", "5"])
    header, _, *rows = capsys.readouterr().out.splitlines()
    assert header.startswith("| command | before, best s | after, best s |")
    assert [row.split()[1] for row in rows] == ["evaluate,", "evaluate,", "compare,", "compare,", "board,", "report,"]
    assert all(float(cell) > 0 for row in rows for cell in row.split("|")[2:6])


TABLE = """### judging_server: 4 assessors

| database | way | seconds to think | what | calls | p95 ms | CPU ms a choice | load |
|----------|----:|-----------------:|-----:|------:|-------:|----------------:|-----:|
| SQLite | full | none | task | 20 | 55.6 |  | 1.0 |
| SQLite | full | none | choices | 214 | %s | 2.97 | 1.0 |

| target | wanted | best | median | verdict |
|---|---|---|---|---|
| judging | below 150 ms | 11.1 | 25.4 | met |
"""


def test_servers_of_both_versions_are_compared_row_by_row_the_best_of_each(monkeypatch, capsys):
    p95 = iter(["20", "30", "18", "9"])
    monkeypatch.setattr(versions, "server_table", lambda *_, **__: TABLE % next(p95))
    versions.compare_servers(["judging_server"], [ROOT, ROOT], 2, is_quick=True)
    assert capsys.readouterr().out.splitlines()[3:] == [
        "| SQLite, full, none, task | p95 ms | 55.60 | 55.60 | 1.000 |",
        "| SQLite, full, none, choices | p95 ms | 18.00 | 9.00 | 0.500 |",
        "| SQLite, full, none, choices | CPU ms | 2.97 | 2.97 | 1.000 |",
    ]


def test_a_table_without_figures_is_an_error():
    with pytest.raises(RuntimeError, match="nothing was measured"):
        versions.parse_figures("| database | what | p95 ms | load |\n|---|---|---|---|\n| SQLite | choices | – | 1.0 |")
