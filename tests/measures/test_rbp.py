"""RBP: hand-computed values, residual, gains, scale, and parameters that cannot be used."""

import math

import pytest

from runoff.errors import MeasureError, UsageError
from runoff.measures import RBP
from runoff.measures._example import serps_of


def test_geometric_weights():
    assert RBP(p=0.5).values(serps_of([1, 0, 1])).tolist() == [0.5 + 0.125]


def test_binary_by_default():
    serps = serps_of([1, 3], [4, 2])
    one, other = RBP().values(serps).tolist()
    assert one == other == pytest.approx(0.2 + 0.16)


def test_all_relevant_leaves_only_the_tail():
    serps = serps_of([1] * 20)
    assert (RBP(p=0.8) @ 10).values(serps).tolist() == pytest.approx([1 - 0.8**10])
    assert (RBP(p=0.8) @ 10).residual(serps).tolist() == pytest.approx([0.8**10])


def test_residual_of_unjudged_and_unseen_ranks():
    serps = serps_of([-1, 1, -1], [])
    assert (RBP(p=0.5) @ 10).residual(serps).tolist() == pytest.approx([0.5 + 0.125 + 0.125, 1.0])
    assert (RBP(p=0.5) @ 1).residual(serps).tolist() == pytest.approx([1.0, 1.0])


def test_value_plus_residual_is_reached_when_all_unknown_is_relevant():
    measure = RBP(p=0.7)
    known = serps_of([1, -1, 0, -1, 1])
    filled = serps_of([1, 1, 0, 1, 1] + [1] * 200)
    assert (measure.values(known) + measure.residual(known)).tolist() == pytest.approx(measure.values(filled).tolist())


def test_gains():
    measure = RBP(p=0.5, gains={0: 0, 1: 0.25, 2: 1})
    assert measure.values(serps_of([1, 2, 0])).tolist() == [0.125 + 0.25]
    with pytest.raises(UsageError, match="the qrels hold grade 3, which has no gain"):
        measure.values(serps_of([1, 2, 3]))


def test_scale_is_interval_only_for_equally_spaced_values():
    assert (RBP(p=0.5) @ 3).scale == "interval"
    assert {(RBP @ 3).scale, RBP(p=0.5).scale, (RBP(p=0.5, gains={1: 0.3}) @ 3).scale} == {"ordinal"}
    states = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    assert sorted((RBP(p=0.5) @ 3).values(serps_of(*states)).tolist()) == [place / 8 for place in range(8)]


@pytest.mark.parametrize("p", [0.0, 1.0, 1, -0.5, math.nan, math.inf, "0.8", None])
def test_bad_persistence_is_refused(p):
    with pytest.raises(MeasureError, match="expected a number between 0 and 1"):
        RBP(p=p)


@pytest.mark.parametrize("parameters", [{"gains": {1: 2}}, {"gains": {1: 0.5}, "rel": 2}])
def test_bad_gains_are_refused(parameters):
    with pytest.raises(MeasureError):
        RBP(**parameters)
