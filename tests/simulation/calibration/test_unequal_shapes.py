"""Equal means of skewed differences: the tests of means keep their level, the sign test says otherwise."""

import numpy as np

from runoff.simulation.calibration import Source
from runoff.simulation.calibration._source import as_scores
from tests.simulation.calibration.sources import shares


def skewed():
    """A challenger that loses a little in most queries and gains much in few."""
    rng = np.random.default_rng(3)
    champion = rng.random(300) * 0.5
    gains = np.where(rng.random(300) < 0.2, rng.random(300) * 0.5, -0.065 * rng.random(300))
    return Source(scores=as_scores(np.column_stack([champion, champion + gains]), "AP"))


def test_rank_tests_answer_another_question():
    found = shares("shapes", skewed(), queries=300, boards=120)
    assert found["t"].verdict.word == found["randomization"].verdict.word == "not refuted"
    assert found["sign"].mean > 0.9
    assert found["sign"].verdict.word == "off"
    assert not found["sign"].is_broken  # it is not promised


def test_a_run_that_is_never_worse_cannot_be_made_equal():
    values = np.random.default_rng(4).random((30, 1)) * np.ones((1, 2)) + np.array([0.0, 0.1])
    assert shares("shapes", Source(scores=as_scores(values)), boards=4) == {}
