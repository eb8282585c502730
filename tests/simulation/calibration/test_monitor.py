"""Alarms for clean teams are rare, and knowledge is seen."""

from tests.simulation.calibration.sources import ap_like, shares


def test_clean_and_knowing():
    found = shares("monitor", ap_like(), queries=600, boards=120)
    assert found["clean"].verdict.word in {"not refuted", "conservative"}
    assert found["clean"].mean <= found["plain"].mean
    assert found["knowing"].mean > 0.8
    assert found["knowing"].verdict.word == ""
