"""The promised power, and a difference that is what it is said to be."""

import numpy as np
import pytest

from runoff.significance.power import student_factor
from runoff.simulation.calibration._source import swapped
from tests.simulation.calibration.sources import ap_like, shares


def test_the_promised_power_is_there():
    found = shares("power", ap_like(), queries=100, boards=500)
    assert found["t"].verdict.word == "not refuted"
    assert 0.72 < found["t"].mean < 0.88
    assert found["sign"].mean < found["t"].mean


def test_the_difference_is_the_smallest_that_is_promised():
    """With the chance that the quantity takes, difference / (sd / sqrt(n)) is the factor of the resolution."""
    source, queries = ap_like(), 100
    leads, squares = source.leads.T
    place = int(np.abs(leads).argmax())
    factor = student_factor(queries, 0.05, 0.8)
    wanted = np.sqrt(factor**2 * squares[place] / (queries + factor**2))
    chance = (1 - wanted / abs(leads[place])) / 2
    pair = np.tile(source.values[:, source.pairs[place]], (4000, 1))
    values, _ = swapped(pair, np.random.default_rng(0), chance)
    differences = values[:, 1] - values[:, 0]
    assert abs(differences.mean()) / (differences.std() / np.sqrt(queries)) == pytest.approx(factor, rel=0.02)


def test_runs_that_are_too_alike_are_not_asked():
    assert shares("power", ap_like(), queries=5, boards=3) == {}
