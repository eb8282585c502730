"""The set of the best on boards whose best runs are known."""

import pytest

from tests.simulation.calibration.sources import ap_like, shares, with_lists


@pytest.mark.parametrize("source", [ap_like(), with_lists()], ids=["ap", "rr"])
def test_the_set_holds_the_best(source):
    found = shares("best_set", source, queries=50, boards=200)
    assert set(found) == {"same", "half", "data"}
    assert not [key for key, line in found.items() if line.verdict.word == "off"]
    assert found["data"].mean >= found["same"].mean  # equal runs are the hardest
