"""What every quantity must do, and that every quantity is in the list."""

from inspect import getmembers, isclass

import numpy as np
import pytest

from runoff.simulation.calibration import QUANTITIES, QUANTITY_NAMES, Quantity, Settings, Source, boards, pairs
from runoff.simulation.calibration._source import as_scores
from tests.simulation.calibration.sources import ap_like, with_lists

SETTINGS = Settings(trials=40)
each = pytest.mark.parametrize("quantity", QUANTITIES, ids=QUANTITY_NAMES)


def test_every_quantity_is_listed_once():
    classes = {kind for module in (boards, pairs) for _, kind in getmembers(module, isclass)}
    quantities = {kind for kind in classes if issubclass(kind, Quantity) and kind is not Quantity}
    assert {type(quantity) for quantity in QUANTITIES} == quantities
    assert len(set(QUANTITY_NAMES)) == len(QUANTITIES) == len(quantities)


@each
def test_lines_are_named_once_and_say_what_they_promise(quantity):
    lines = quantity.lines(SETTINGS)
    assert len({line.key for line in lines}) == len(lines) > 0
    assert len({line.label for line in lines}) == len(lines)
    assert all((line.level is None) == (line.kind == "none") for line in lines)
    assert any(line.promised for line in lines)


@each
@pytest.mark.parametrize("queries", [5, 33])
def test_a_board_shows_its_lines_and_nothing_else(quantity, queries):
    source = with_lists()
    seen = quantity.observe(source, queries, np.random.default_rng(3), SETTINGS)
    assert set(seen) <= {line.key for line in quantity.lines(SETTINGS)}
    for line in quantity.lines(SETTINGS):
        value = seen.get(line.key)
        assert value is None or np.isfinite(value)
        assert line.kind == "zero" or value is None or isinstance(value, (bool, np.bool_))


@each
def test_the_same_stream_shows_the_same(quantity):
    first, second = (quantity.observe(with_lists(), 20, np.random.default_rng(5), SETTINGS) for _ in range(2))
    assert first == second


@each
def test_two_runs_are_enough(quantity):
    values = np.random.default_rng(6).integers(0, 3, size=(12, 2)) / 2
    source = Source(scores=as_scores(values)) if not quantity.needs_serps else with_lists(20, 2)
    quantity.observe(source, 12, np.random.default_rng(7), SETTINGS)


@each
def test_scores_alone_show_nothing_that_needs_lists(quantity):
    seen = quantity.observe(ap_like(), 200, np.random.default_rng(8), SETTINGS)
    assert bool(seen) != quantity.needs_serps
