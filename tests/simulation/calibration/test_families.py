"""Families: corrections keep their promise, and without one there are false alarms."""

from tests.simulation.calibration.sources import ap_like, shares


def test_corrected_and_not():
    found = shares("families", ap_like(), queries=40, boards=120)
    assert found["none"].mean > 0.1
    for key in ("bonferroni", "holm", "benjamini_hochberg", "tukey", "tukey_half"):
        assert found[key].verdict.word in {"not refuted", "conservative"}, key
    assert found["holm"].mean == found["bonferroni"].mean  # with no true difference, the smallest p decides both
