"""Facets: direction, level, agreement of number and test, corrections that only weaken."""

import math
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.choices import POLICY_CORRECTIONS
from runoff.significance import Family
from runoff.verdicts import NO_PROMISE, Policy, judge
from runoff.verdicts.facet import Direction, against_last, corrected, decided, how_words, marks, sign_of, spoken, with_p
from tests.verdicts.cases import evidence_of, facet, repeated, serps_at, verdict_at, verdict_on_scores

p_values = st.floats(0, 1)
leads = st.sampled_from([-2.5, 0.0, 3.0])


@pytest.mark.parametrize("lead, shown", [(2.0, 1), (-0.5, -1), (0.0, 0)])
def test_the_lead_gives_the_direction(lead, shown):
    facet = decided("x", lead, 0.01, Policy())
    assert (facet.shown, facet.shown > 0, facet.shown < 0) == (shown, shown > 0, shown < 0)


def test_significant_is_below_the_level_and_not_at_it():
    assert decided("x", 1, 0.0499999, Policy()).significant
    assert not decided("x", 1, 0.05, Policy()).significant
    assert decided("x", 1, 0.05, Policy(alpha=0.1)).significant


def test_without_a_lead_nothing_is_significant():
    # Equal means with a significant rank test: one large difference balances many small ones.
    facet = decided("sooner", 0.0, 0.001, Policy(), favours=1)
    assert not facet.agrees
    assert (facet.significant, facet.shown, facet.uncorrected(0.05)) == (False, 0, 0)
    assert not decided("x", 0.0, 0.001, Policy()).significant


@given(leads, leads, p_values)
def test_a_test_that_speaks_for_the_other_side_shows_nothing(lead, favours, p):
    facet = decided("sooner", lead, p, Policy(), favours=favours)
    assert facet.agrees == (favours == 0 or lead * favours > 0)
    assert facet.significant == (p < 0.05 and facet.agrees and lead != 0)
    assert facet.shown == (sign_of(lead) if facet.significant else 0)


@given(leads, leads, p_values, st.sampled_from([0.05, 0.2]))
def test_without_a_correction_the_raw_p_decides(lead, favours, p, alpha):
    alone = decided("sooner", lead, p, Policy(alpha=alpha), favours=favours)
    after = with_p(alone, 1.0, Family("many", 40), Policy(alpha=alpha))
    assert after.shown == 0
    assert after.uncorrected(alpha) == alone.uncorrected(alpha) == alone.shown


@given(st.lists(st.tuples(leads, leads, p_values), max_size=8), st.sampled_from(POLICY_CORRECTIONS))
def test_corrections_only_weaken(rows, correction):
    policy = Policy(correction=correction)
    alone = [decided("sooner", lead, p, policy, favours=favours, ci95=(-1.0, 4.0)) for lead, favours, p in rows]
    together = corrected(alone, policy)
    assert len(together) == len(alone)
    for before, after in zip(alone, together, strict=True):
        assert after.raw_p == before.p <= after.p
        assert after.significant <= before.significant
        assert after.uncorrected(policy.alpha) == before.shown
        unchanged = ("direction", "agrees", "name", "difference", "ci95")
        assert [getattr(after, name) for name in unchanged] == [getattr(before, name) for name in unchanged]


def test_one_challenger_needs_no_correction():
    for correction in POLICY_CORRECTIONS:
        policy = Policy(correction=correction)
        one = decided("more", 1, 0.04, policy)
        assert corrected([one], policy) == (one,)


def test_holm_by_hand():
    policy = Policy()
    facets = corrected([decided("more", 1, p, policy) for p in (0.01, 0.04, 0.03)], policy)
    assert [round(facet.p, 10) for facet in facets] == [0.03, 0.06, 0.06]
    assert [facet.significant for facet in facets] == [True, False, False]
    assert {str(facet.family) for facet in facets} == {"more of 3 challengers (3 p-values)"}
    assert [facet.level for facet in facets] == [0.05 / 3] * 3  # what the smallest p has to be below


def test_a_family_can_be_named():
    policy = Policy()
    facets = corrected([decided(name, 1, 0.04, policy) for name in ("AP", "more", "sooner")], policy, "3 facets")
    assert {str(facet.family) for facet in facets} == {"3 facets (3 p-values)"}
    assert [facet.name for facet in facets] == ["AP", "more", "sooner"]


def test_no_correction_leaves_the_family_alone():
    policy = Policy(correction="none")
    facets = corrected([decided("more", 1, 0.04, policy)] * 9, policy)
    assert all(facet.significant and facet.family.size == 1 for facet in facets)
    assert {facet.level for facet in facets} == {policy.alpha}


def test_the_keys_of_the_json():
    policy = Policy()
    one = decided("more", 0.25, 0.03, policy, ci95=(0.1, 0.4))
    shown = {"direction": 1, "p": 0.03, "p_corrected": 0.03, "difference": 0.25, "ci95": [0.1, 0.4]}
    assert one.to_dict() == shown
    # The direction is what is shown after the correction; the interval and the raw p stay.
    assert corrected([one, one], policy)[0].to_dict() == {**shown, "direction": 0, "p_corrected": 0.06}
    assert decided("x", 1, 0.5, policy).to_dict()["ci95"] == [-math.inf, math.inf]


@given(st.floats())
def test_sign(value):
    assert sign_of(value) == (value > 0) - (value < 0)


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
    for words in ("not a statement about all measures", "score both runs the same", "may disagree elsewhere"):
        assert words in NO_PROMISE


OPPOSITE = {"more": "fewer", "fewer": "more", "sooner": "later", "later": "sooner"}


@pytest.mark.parametrize(
    "more, sooner, words",
    [
        (1, 1, ("more", "sooner")),
        (1, 0, ("more",)),
        (1, -1, ("more", "later")),
        (0, 1, ("sooner",)),
        (0, 0, ()),
        (0, -1, ("later",)),
        (-1, 1, ("fewer", "sooner")),
        (-1, 0, ("fewer",)),
        (-1, -1, ("fewer", "later")),
    ],
)
def test_words(more, sooner, words):
    assert how_words(more, sooner) == words


def test_swapped_runs_have_the_opposite_words():
    opposite: dict[Direction, Direction] = {1: -1, 0: 0, -1: 1}
    for more, sooner in product(opposite, repeat=2):
        words = how_words(opposite[more], opposite[sooner])
        assert words == tuple(OPPOSITE[word] for word in how_words(more, sooner))


def test_what_points_the_other_way_comes_last():
    assert against_last(("more", "later"), -1) == ("later", "but more")
    assert against_last(("more", "later"), 1) == ("more", "but later")
    assert against_last(("fewer", "later"), -1) == ("fewer", "later")
    assert against_last(("more", "sooner"), -1) == ("but more", "but sooner")
    assert against_last(("sooner",), 0) == ("sooner",)
    assert against_last((), -1) == ()


def test_spoken():
    assert spoken("better", ("more", "sooner")) == "better: more, sooner"
    assert spoken("trade-off", ("more", "worse by RR@10")) == "trade-off: more, worse by RR@10"
    assert spoken("worse", ()) == "worse"


# Each pair of runs with what is shown of it: the words that the verdict rests on.
CASES = {
    "better: more, sooner": {(4, 2): 20, (2, 2): 10, (0, 3): 10},
    "worse: fewer, later": {(2, 4): 20, (2, 2): 10, (3, 0): 10},
    "better: more": {(0, 3): 12, (1, 2): 3, (2, 1): 3},
    "worse: fewer": {(3, 0): 12, (1, 2): 3, (2, 1): 3},
    "better: sooner": {(4, 2): 20, (0, 3): 4, (3, 0): 3},
    "worse: later": {(2, 4): 20, (0, 3): 3, (3, 0): 4},
    "trade-off: more, later": {(2, 4): 20, (0, 3): 12},
    "trade-off: fewer, sooner": {(4, 2): 20, (3, 0): 12},
    # Eleven documents are won at the top and five lost at the bottom; ranks of what both find are as they were. The
    # sign test asks who finds more on more queries, and cannot tell; the mean can.
    "better, by RR@10 alone": {(0, 1): 11, (10, 0): 5, (2, 2): 9},
    "worse, by RR@10 alone": {(1, 0): 11, (0, 10): 5, (2, 2): 9},
    # Fourteen documents are found at rank 10, which RR hardly counts, and ten first ranks are lost.
    "trade-off: more, worse by RR@10": {(0, 10): 14, (1, 3): 10, (10, 8): 10},
    "trade-off: fewer, better by RR@10": {(10, 0): 14, (3, 1): 10, (8, 10): 10},
    "inconclusive": {(1, 2): 3, (2, 1): 4, (0, 1): 2, (3, 0): 1},
}


@pytest.mark.parametrize("words", CASES)
def test_what_a_verdict_rests_on(words):
    verdict = verdict_at(*repeated(CASES[words]))
    assert verdict.spoken == words
    for name, ahead, behind in (("more", "more", "fewer"), ("sooner", "sooner", "later")):
        facet = verdict.facets[name]
        assert (ahead in verdict.how, behind in verdict.how) == (facet.shown > 0, facet.shown < 0)


def test_the_measure_is_named_only_where_it_is_alone_or_against_both():
    for words, pairs in CASES.items():
        verdict = verdict_at(*repeated(pairs))
        assert ("RR@10" in words) == any("RR@10" in word for word in verdict.how)
        if "alone" in words:
            assert [facet.shown for facet in (verdict.more, verdict.sooner)] == [0, 0]
            assert verdict.measure.significant


def test_an_inconclusive_verdict_rests_on_nothing():
    # More is shown; later has p = 0.035, which the correction doubles. They disagree, so nothing is said of how.
    verdict = verdict_at(*repeated({(0, 10): 14, (1, 2): 9, (2, 1): 2, (2, 2): 8}))
    assert verdict.more is not None
    assert verdict.sooner is not None
    assert (verdict.more.shown, verdict.sooner.shown, verdict.sooner.uncorrected(0.05)) == (1, 0, -1)
    assert (verdict.overall, verdict.how) == ("inconclusive", ())


def test_scores_alone_have_no_how():
    verdict = verdict_on_scores([0.1, 0.2, 0.3, 0.4, 0.5], [0.21, 0.3, 0.41, 0.5, 0.61])
    assert (verdict.overall, verdict.how, verdict.spoken) == ("better", (), "better")


def test_how_is_what_is_left_after_the_correction():
    pairs = {(4, 2): 30, (0, 3): 9, (3, 0): 2}  # more: 9 against 2, p = 0.065
    assert verdict_at(*repeated(pairs)).how == ("sooner",)
    assert verdict_at(*repeated(pairs), policy=Policy(alpha=0.1)).how == ("more", "sooner")
