"""The question: depth and level follow from the measure unless they are named."""

import pytest

from runoff import CompareOptions, UsageError
from runoff.measures import parse_measure


@pytest.mark.parametrize(
    "question, depth, level, needed",
    [
        (CompareOptions(), 100, 1, 100),
        (CompareOptions(measure="RR@10"), 10, 1, 10),
        (CompareOptions(measure="RR@10", depth=50), 50, 1, 50),
        (CompareOptions(measure="RR@100", depth=10), 10, 1, 100),
        (CompareOptions(measure="AP(rel=2)"), 100, 2, None),
        (CompareOptions(measure="nDCG@20", level=3), 20, 3, 20),
    ],
)
def test_depth_and_level(question, depth, level, needed):
    measure = question.chosen_measure()
    assert question.chosen_depth(measure) == depth
    assert question.chosen_level(measure) == level
    assert question.needed_depth(measure) == needed


def test_a_measure_of_ir_measures_is_refused():
    with pytest.raises(UsageError, match="computed by ir_measures"):
        CompareOptions(measure=parse_measure("SetP")).chosen_measure()
