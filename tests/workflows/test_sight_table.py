"""What could have been shown, as a table and under keys."""

import pytest

from runoff.workflows.sight_table import sight_dict, sight_grid
from tests.workflows.duels import clear_duel, duel_of


def test_a_row_per_facet():
    duel = duel_of([1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6)
    grid = sight_grid(duel.sights)
    assert grid is not None
    assert grid.values("what")[0] == "Difference of the means"
    assert grid.values("observed")[0] == pytest.approx(duel.means.difference)
    assert grid.values("shown")[0] == "no"
    content = sight_dict(duel.sights)
    assert {"level", "power", "measure", "answered", "earlier", "ipso"} == set(content)
    assert content == duel.to_dict()["resolution"]


def test_what_is_shown_says_yes():
    grid = sight_grid(clear_duel().sights)
    assert grid is not None
    assert grid.values("shown")[0] == "yes"


def test_nothing_to_show():
    assert sight_grid(()) is None
    assert sight_dict(()) == {}
