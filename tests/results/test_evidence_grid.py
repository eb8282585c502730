"""The table of all evidence."""

from runoff.results.evidence_grid import evidence_grid
from tests.display.charts.examples import evidence_of


def test_rows_say_for_whom():
    found = evidence_of(["old", "new"])[1]
    grid = evidence_grid(found, "RR@10")
    assert grid.values("favours") == ("new", "old", "neither")
    assert set(grid.values("basis")) == {"RR@10"}
    assert grid.notes[0] == "Votes and ranks are new : old. Each line is decided by itself at 0.05, not corrected."
    assert grid.notes[1] == found.caution
