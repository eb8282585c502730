"""The marks: † for the measure, ‡ only after it and in the same direction."""

from itertools import product

import pytest

from runoff.verdicts import NO_PROMISE
from runoff.verdicts.marks import marks
from tests.verdicts.cases import facet, repeated, verdict_at

up, down, flat = facet(1), facet(-1), facet(0, significant=False, p=1.0)
weak_up, weak_down = (facet(direction, significant=False, p=0.06) for direction in (1, -1))


@pytest.mark.parametrize(
    "measure, ipso, expected",
    [
        (up, up, "†‡"),
        (down, down, "†‡"),
        (up, None, "†"),
        (up, weak_up, "†"),
        (up, down, "†"),
        (up, flat, "†"),
        (down, up, "†"),
        (down, weak_down, "†"),
    ],
)
def test_marks(measure, ipso, expected):
    assert marks(measure, ipso) == expected


def test_ipso_is_not_looked_at_before_the_measure():
    for measure, ipso in product((weak_up, weak_down, flat), (up, down, weak_up, flat, None)):
        assert marks(measure, ipso) == ""


def test_both_marks_from_ranks():
    # 30 queries of rank 1 against rank 4: every measure must agree on each of them.
    assert verdict_at(*repeated({(4, 1): 30, (1, 1): 10})).marks == "†‡"
    # One way in the vote (20 against 8), the other way in the mean of RR.
    verdict = verdict_at(*repeated({(10, 9): 20, (1, 5): 8}))
    assert verdict.ipso is not None
    assert (verdict.marks, verdict.ipso.direction, verdict.measure.direction) == ("†", 1, -1)


def test_the_promise_that_is_not_made_is_in_words():
    for words in ("no promise about all measures", "score both runs alike", "free on the others"):
        assert words in NO_PROMISE
