"""The marks: † for the measure, ‡ only after it, in the same direction, and where IPSO binds the measure."""

from dataclasses import replace
from itertools import product

import pytest

from runoff.verdicts import NO_PROMISE, Policy, judge
from runoff.verdicts.marks import marks
from tests.verdicts.cases import evidence_of, facet, repeated, serps_at, verdict_at

up, down, flat = facet(1), facet(-1), facet(0, significant=False, p=1.0)
weak_up, weak_down = (facet(direction, significant=False, p=0.06) for direction in (1, -1))


@pytest.mark.parametrize(
    "measure, ipso, expected",
    [
        (1, up, "†‡"),
        (-1, down, "†‡"),
        (1, None, "†"),
        (1, weak_up, "†"),
        (1, down, "†"),
        (1, flat, "†"),
        (-1, up, "†"),
        (-1, weak_down, "†"),
    ],
)
def test_marks(measure, ipso, expected):
    assert marks(measure, ipso) == expected


def test_ipso_is_not_looked_at_before_the_measure():
    for ipso in (up, down, weak_up, flat, None):
        assert marks(0, ipso) == ""


def test_both_marks_from_ranks():
    # 30 queries of rank 1 against rank 4: every measure must agree on each of them.
    assert verdict_at(*repeated({(4, 1): 30, (1, 1): 10})).marks == "†‡"
    # One way in the vote (20 against 8), the other way in the mean of RR.
    verdict = verdict_at(*repeated({(10, 9): 20, (1, 5): 8}))
    assert verdict.ipso is not None
    assert (verdict.marks, verdict.ipso.direction, verdict.measure.direction) == ("†", 1, -1)


def test_a_measure_that_ipso_does_not_bind_gets_no_second_mark():
    evidence = evidence_of(*(serps_at(ranks) for ranks in repeated({(4, 1): 30, (1, 1): 10})))
    free = replace(evidence, unbound="bpref does not count ranks")
    bound, unbound = judge([evidence], Policy())[0], judge([free], Policy())[0]
    assert (bound.marks, unbound.marks) == ("†‡", "†")
    assert "every measure must agree" in bound.sentence
    assert "every measure must agree" not in unbound.sentence
    # Nothing else changes: the vote is known, and decides nothing.
    for name in ("overall", "how", "strict", "do_no_harm", "measure", "more", "sooner", "ipso"):
        assert getattr(bound, name) == getattr(unbound, name)


def test_the_first_mark_is_that_of_the_corrected_p():
    # The sign test of who finds more and the t test of RR have p = 0.039 and 0.017: with three facets neither is shown.
    pairs = repeated({(0, 1): 8, (1, 0): 1, (1, 1): 20})
    assert verdict_at(*pairs, policy=Policy(correction="none")).marks.startswith("†")
    evidence = evidence_of(*(serps_at(ranks) for ranks in pairs))
    for copies, policy in product((1, 5), (Policy(), Policy(correction="bonferroni"))):
        for verdict in judge([evidence] * copies, policy):
            assert (verdict.marks == "") == (verdict.measure.p >= 0.05)


def test_the_promise_that_is_not_made_is_in_words():
    for words in ("no promise about all measures", "score both runs alike", "free on the others"):
        assert words in NO_PROMISE
