"""A run that is worse by the margin is seldom called no worse."""

import numpy as np

from runoff.simulation.calibration import Source
from runoff.simulation.calibration._source import as_scores
from tests.simulation.calibration.sources import ap_like, shares


def test_the_level_is_reached_and_kept():
    found = shares("margins", ap_like(), queries=200, boards=600)
    assert found["no_worse"].verdict.word == "not refuted"
    assert found["no_worse"].mean > 0.02  # at the very margin the level is used up
    assert found["equivalent"].mean <= found["no_worse"].mean


def test_equal_means_have_no_margin():
    values = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert shares("margins", Source(scores=as_scores(values)), boards=4) == {}
