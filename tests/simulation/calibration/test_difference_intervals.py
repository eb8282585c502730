"""Intervals of a difference hold the one of the data."""

from tests.simulation.calibration.sources import ap_like, shares


def test_they_hold():
    found = shares("differences", ap_like(), queries=100, boards=400)
    assert set(found) == {"t", "bootstrap"}
    assert not [key for key, line in found.items() if line.is_broken]
    assert found["t"].mean < 0.99  # and are not too wide
