"""nDCG: hand-computed and published values, gains, and parameters that cannot be used."""

import math

import pytest

from runoff.errors import MeasureError
from runoff.measures import nDCG
from runoff.measures._example import serps_of

GRADES = [3, 2, 3, 0, 1, 2]


def test_widely_published_example():
    """The example with grades 3 2 3 0 1 2: DCG 6.861, ideal 7.141, nDCG 0.961 when only the six are judged."""
    dcg = sum(grade / math.log2(rank + 1) for rank, grade in enumerate(GRADES, start=1))
    assert round(dcg, 3) == 6.861
    (value,) = (nDCG @ 6).values(serps_of(GRADES)).tolist()
    assert round(value, 3) == 0.961


def test_ideal_holds_documents_that_were_not_found():
    (value,) = nDCG().values(serps_of([1], judged=[[0, 1, 1]])).tolist()
    assert value == pytest.approx(1 / (2 + 1 / math.log2(3)))


def test_ideal_is_cut_at_the_cutoff():
    (value,) = (nDCG @ 1).values(serps_of([1], judged=[[0, 1, 1]])).tolist()
    assert value == 0.5


def test_exponential_gain():
    (value,) = nDCG(dcg="exp-log2").values(serps_of([1, 2])).tolist()
    assert value == pytest.approx((1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3)))


def test_gains_replace_grades_and_leave_the_others():
    given = nDCG(gains={1: 0, 2: 10}).values(serps_of([1, 3, 2], judged=[[0, 1, 1, 1]])).tolist()
    dcg, ideal = 3 / math.log2(3) + 10 / 2, 10 + 3 / math.log2(3)
    assert given == pytest.approx([dcg / ideal])


def test_gains_that_spell_the_exponential_gain_equal_it():
    serps = serps_of(GRADES, [0, 1, 2], [2, 3])
    spelled = nDCG(gains={1: 1, 2: 3, 3: 7}).values(serps)
    assert spelled.tolist() == nDCG(dcg="exp-log2").values(serps).tolist()


def test_perfect_lists_score_exactly_one():
    assert nDCG().values(serps_of([4, 3, 3, 2, 1, 1, 0], [1] * 30, [2] * 7 + [1] * 13)).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"dcg": "ln"}, "expected 'log2' or 'exp-log2'"),
        ({"gains": {}}, "expected a gain for each grade"),
        ({"gains": 3}, "expected a gain for each grade"),
        ({"gains": {-1: 0}}, "grade -1"),
        ({"gains": {1: -2}}, "expected a number 0 or more"),
        ({"gains": {1: math.inf}}, "gain inf"),
        ({"gains": {1: math.nan}}, "gain nan"),
        ({"gains": {1: True}}, "gain True"),
        ({"gains": {1: 1}, "dcg": "exp-log2"}, "leave one out"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(MeasureError, match=message):
        nDCG(**parameters)
