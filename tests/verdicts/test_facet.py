"""Facets: direction, level, agreement of number and test, corrections that only weaken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.verdicts import POLICY_CORRECTIONS, Policy
from runoff.verdicts.facet import corrected, decided, sign_of

p_values = st.floats(0, 1)
leads = st.sampled_from([-2.5, 0.0, 3.0])


@pytest.mark.parametrize("lead, ahead, behind", [(2.0, True, False), (-0.5, False, True), (0.0, False, False)])
def test_the_lead_gives_the_direction(lead, ahead, behind):
    facet = decided("x", lead, 0.01, Policy())
    assert (facet.is_ahead, facet.is_behind) == (ahead, behind)


def test_significant_is_below_the_level_and_not_at_it():
    assert decided("x", 1, 0.0499999, Policy()).significant
    assert not decided("x", 1, 0.05, Policy()).significant
    assert decided("x", 1, 0.05, Policy(alpha=0.1)).significant


def test_without_a_lead_nothing_is_significant():
    # Equal means with a significant rank test: one large difference balances many small ones.
    facet = decided("ESL", 0.0, 0.001, Policy(), favours=1)
    assert not facet.agrees
    assert (facet.significant, facet.is_ahead, facet.is_behind) == (False, False, False)
    assert not decided("x", 0.0, 0.001, Policy()).significant


@given(leads, leads, p_values)
def test_a_test_that_speaks_for_the_other_side_shows_nothing(lead, favours, p):
    facet = decided("ESL", lead, p, Policy(), favours=favours)
    assert facet.agrees == (favours == 0 or lead * favours > 0)
    assert facet.significant == (p < 0.05 and facet.agrees and lead != 0)


@given(st.lists(st.tuples(leads, leads, p_values), max_size=8), st.sampled_from(POLICY_CORRECTIONS))
def test_corrections_only_weaken(rows, correction):
    policy = Policy(correction=correction)
    alone = [decided("ESL", lead, p, policy, favours=favours) for lead, favours, p in rows]
    together = corrected(alone, policy)
    assert len(together) == len(alone)
    for before, after in zip(alone, together, strict=True):
        assert after.raw_p == before.p <= after.p
        assert after.significant <= before.significant
        assert (after.direction, after.agrees, after.name) == (before.direction, before.agrees, before.name)


def test_one_challenger_needs_no_correction():
    for correction in POLICY_CORRECTIONS:
        policy = Policy(correction=correction)
        one = decided("ESL", 1, 0.04, policy)
        assert corrected([one], policy) == (one,)


def test_holm_by_hand():
    policy = Policy()
    facets = corrected([decided("ESL", 1, p, policy) for p in (0.01, 0.04, 0.03)], policy)
    assert [round(facet.p, 10) for facet in facets] == [0.03, 0.06, 0.06]
    assert [facet.significant for facet in facets] == [True, False, False]
    assert {str(facet.family) for facet in facets} == {"ESL of 3 challengers (3 p-values)"}


def test_no_correction_leaves_the_family_alone():
    policy = Policy(correction="none")
    facets = corrected([decided("ESL", 1, 0.04, policy)] * 9, policy)
    assert all(facet.significant and facet.family.size == 1 for facet in facets)


@given(st.floats())
def test_sign(value):
    assert sign_of(value) == (value > 0) - (value < 0)
