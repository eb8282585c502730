"""Options of a comparison: depth and level follow from the measure unless they are named."""

from dataclasses import replace

import pytest

from runoff import CompareOptions, UsageError
from runoff.measures import parse_measure


@pytest.mark.parametrize(
    "options, depth, level, needed",
    [
        (CompareOptions(), 10, 1, 10),
        (CompareOptions(measures="RR@10"), 10, 1, 10),
        (CompareOptions(measures="RR@10", depth=50), 50, 1, 50),
        (CompareOptions(measures="RR@100", depth=10), 10, 1, 100),
        (CompareOptions(measures="AP(rel=2)"), 100, 2, None),
        (CompareOptions(measures="nDCG@20", level=3), 20, 3, 20),
        (CompareOptions(measures=["RR@10", "P@30"]), 10, 1, 30),
        (CompareOptions(measures=["RR@10", "AP"]), 10, 1, None),
        (CompareOptions(measures="RR@1000000000"), 100, 1, None),  # no list is that deep
    ],
)
def test_depth_and_level(options, depth, level, needed):
    assert (options.compared_depth, options.compared_level, options.needed_depth()) == (depth, level, needed)
    assert replace(options, measures="P@7", depth=None, level=None).compared_depth == 7


def test_depths_that_no_memory_can_hold_are_refused():
    for depth in (0, 1_000_001, 10**9):
        with pytest.raises(UsageError, match=f"depth {depth} cannot be used; expected a whole number from 1 to 1,000,"):
            CompareOptions(depth=depth)


def test_a_measure_of_ir_measures_is_refused():
    with pytest.raises(UsageError, match="computed by ir_measures"):
        CompareOptions(measures=["RR@10", parse_measure("SetP")]).needed_depth()
