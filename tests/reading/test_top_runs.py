import pytest

from runoff.errors import UsageError
from runoff.reading.top_runs import read_top_runs


def test_runs_are_cut_and_named():
    seen = []
    runs = read_top_runs([{"q": {"a": 2, "b": 1}}, {"q": {"c": 1}}], 1, progress=lambda *done: seen.append(done))
    assert [list(run) for run in runs] == [[("q", "a", 2.0)], [("q", "c", 1.0)]]
    assert [run.name for run in runs] == ["run 1", "run 2"]
    assert seen == [(1, 2), (2, 2)]


def test_no_runs():
    with pytest.raises(UsageError, match="no runs"):
        read_top_runs([], 1)
