"""The measures beside IPSO: cut at its depth, each once, and of one relevance level."""

import pytest

from runoff.errors import MeasureError, UsageError
from runoff.measures import AP, RR, Rprec
from runoff.verbs._ipso_board import TOPIC_MEASURES, measures_at


def test_a_measure_without_a_cutoff_is_cut_at_the_depth():
    assert measures_at(["AP", "RR@1", "Rprec"], 10) == (AP @ 10, RR @ 1, Rprec())
    assert measures_at([AP(), RR @ 2, Rprec(rel=2)], 5) == (AP @ 5, RR @ 2, Rprec(rel=2))
    assert [str(one) for one in measures_at(TOPIC_MEASURES, 10)][2:4] == ["RBP(p=0.5)@10", "RBP(p=0.8)@10"]


def test_what_cannot_be_asked():
    with pytest.raises(UsageError, match="AP@10 is asked for twice"):
        measures_at(["AP", "AP@10"], 10)
    with pytest.raises(UsageError, match=r"AP\(rel=2\)@10 and a relevance level are both given"):
        measures_at(["AP(rel=2)"], 10, level=2)
    with pytest.raises(MeasureError, match="no measure is called 'Frobnicate'"):
        measures_at(["Frobnicate"], 10)
