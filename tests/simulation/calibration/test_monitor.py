"""Alarms for clean teams are rare, and knowledge is seen."""

from tests.simulation.calibration.sources import ap_like, shares


def test_clean_and_knowing():
    found = shares("monitor", ap_like(), queries=400, boards=120)
    for key in ("clean", "harder"):
        assert found[key].verdict.word in {"not refuted", "conservative"}
    assert found["knowing"].mean > 0.8
    assert found["knowing_harder"].mean <= found["knowing"].mean
    assert found["knowing"].verdict.word == ""


def test_boards_on_which_nobody_can_be_judged_do_not_count():
    found = shares("monitor", ap_like(), queries=5, boards=40)
    assert found["clean"].boards < 40
