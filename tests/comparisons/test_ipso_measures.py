"""Differences of measures beside IPSO: the measures' own values, for the queries that IPSO compares."""

import numpy as np
from hypothesis import given

from runoff.comparisons import ipso, ipso_differences
from runoff.measures import AP, ESL, RR, P
from runoff.measures._example import serps_of
from tests.comparisons.reference import pairs, ranked


@given(pairs())
def test_values_and_sides(pair):
    first, second = (ranked(lists) for lists in pair)
    depth = first.depth
    found = ipso_differences(ipso(first, second, depth=depth), first, second, [AP @ depth, ESL @ depth])
    for one, measure in zip(found, (AP @ depth, ESL @ depth), strict=True):
        expected = measure.values(first) - measure.values(second)
        np.testing.assert_array_equal(one.values, expected)
        better = np.nan_to_num(expected) * (-1 if measure.best == "low" else 1)
        assert (one.favours == np.where(np.abs(better) < 1e-10, 0, np.sign(better))).all()


def test_equal_scores_are_equal_whatever_float64_says():
    judged = [[9, 6]]
    first = serps_of([1, 1, 1], judged=judged)
    found = ipso_differences(ipso(first, first, depth=3), first, serps_of([1, 1, 1], judged=judged), [P @ 3])
    assert found[0].favours.tolist() == [0]


def test_queries_that_ipso_leaves_out_are_left_out():
    judged = [[5, 1], [5, 0], [5, 1]]
    first, second = serps_of([1], [0], [0, 1], judged=judged), serps_of([0, 1], [0], [1], judged=judged)
    result = ipso(first, second, depth=2)
    (found,) = ipso_differences(result, first, second, [RR @ 2])
    assert list(result.query_ids) == ["q1", "q3"]
    assert (found.measure, found.values.tolist(), found.favours.tolist()) == ("RR@2", [0.5, -0.5], [1, -1])
