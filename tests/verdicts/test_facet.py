"""Facets: direction, level, agreement of number and test, corrections that only weaken."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.significance import Family
from runoff.verdicts import POLICY_CORRECTIONS, Policy
from runoff.verdicts.facet import corrected, decided, sign_of, with_p

p_values = st.floats(0, 1)
leads = st.sampled_from([-2.5, 0.0, 3.0])


@pytest.mark.parametrize("lead, shown", [(2.0, 1), (-0.5, -1), (0.0, 0)])
def test_the_lead_gives_the_direction(lead, shown):
    facet = decided("x", lead, 0.01, Policy())
    assert (facet.shown, facet.is_ahead, facet.is_behind) == (shown, shown > 0, shown < 0)


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
