"""Outcomes: one per query, the paper's example, relevance level, cutoff, mirror."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.comparisons import OUTCOMES, outcomes
from runoff.comparisons._example import serps_from
from runoff.errors import UsageError
from runoff.measures import RR
from tests.comparisons.reference import pairs, ranked

cutoffs = st.one_of(st.none(), st.integers(1, 14))


def first_found(serp, cutoff, level=1):
    return next((rank for rank, grade in enumerate(serp[:cutoff], start=1) if grade >= level), None)


def test_same_mean_esl_and_different_rr():
    # Lin et al. 2021, section 5: relevant at ranks 1 and 9, and at 4 and 6.
    result = outcomes(serps_from("100000000", "000000001"), serps_from("000100000", "000001000"), cutoff=100)
    assert result.both == 2
    assert (result.esl.champion, result.esl.challenger, result.esl.difference) == (5.0, 5.0, 0.0)
    assert round(result.rr.champion, 3) == 0.556
    assert round(result.rr.challenger, 3) == 0.208


def test_every_outcome():
    champion = serps_from("00", "10", "00", "01", run="old")
    challenger = serps_from("00", "00", "10", "10", run="new")
    result = outcomes(champion, challenger, cutoff=2)
    assert [OUTCOMES[place] for place in result.outcome] == list(OUTCOMES)
    assert (result.neither, result.champion_only, result.challenger_only, result.both) == (1, 1, 1, 1)
    assert set(result.shares.values()) == {0.25}
    assert np.array_equal(result.champion_ranks, [np.nan, 1, np.nan, 2], equal_nan=True)
    assert np.array_equal(result.challenger_ranks, [np.nan, np.nan, 1, 1], equal_nan=True)
    assert result.esl.difference == -1.0  # the challenger is earlier: better
    assert result.rr.difference == 0.5
    assert (result.champion, result.challenger, result.queries) == ("old", "new", 4)


@given(pairs(highest=3), cutoffs, st.integers(1, 3))
def test_equals_a_loop_over_queries(pair, cutoff, level):
    champion, challenger = (ranked(lists, highest=3) for lists in pair)
    result = outcomes(champion, challenger, cutoff=cutoff, level=level)
    ranks = [[first_found(serp, cutoff, level) for serp in lists] for lists in pair]
    names = {(False, False): 0, (True, False): 1, (False, True): 2, (True, True): 3}
    assert result.outcome.tolist() == [
        names[one is not None, other is not None] for one, other in zip(*ranks, strict=True)
    ]
    both = [(one, other) for one, other in zip(*ranks, strict=True) if one and other]
    if both:
        assert result.esl.champion == pytest.approx(sum(one for one, _ in both) / len(both))
        assert result.rr.challenger == pytest.approx(sum(1 / other for _, other in both) / len(both))
    else:
        assert math.isnan(result.esl.champion)
        assert math.isnan(result.rr.challenger)
    assert sum(result.counts.values()) == result.queries
    assert sum(result.shares.values()) == pytest.approx(1.0)


@given(pairs(), cutoffs)
def test_swapping_the_runs_mirrors_everything(pair, cutoff):
    there = outcomes(*(ranked(lists) for lists in pair), cutoff=cutoff)
    back = outcomes(*(ranked(lists) for lists in pair[::-1]), cutoff=cutoff)
    assert (there.neither, there.champion_only, there.both) == (back.neither, back.challenger_only, back.both)
    assert np.array_equal(there.champion_ranks, back.challenger_ranks, equal_nan=True)
    if there.both:
        assert there.esl.difference == -back.esl.difference
        assert there.rr.difference == -back.rr.difference


@given(pairs(), cutoffs)
def test_the_parts_add_up_to_the_mean_rr(pair, cutoff):
    champion, challenger = (ranked(lists) for lists in pair)
    result = outcomes(champion, challenger, cutoff=cutoff)
    only = np.nansum(np.where(result.in_both, 0.0, 1.0 / result.champion_ranks))
    both = result.rr.champion * result.both if result.both else 0.0
    assert (only + both) / result.queries == pytest.approx(float(RR(cutoff=cutoff).values(champion).mean()))


def test_beyond_the_cutoff_nothing_is_found():
    result = outcomes(serps_from("0001"), serps_from("0010"), cutoff=3)
    assert result.challenger_only == 1


def test_queries_with_several_relevant_documents_are_flagged():
    labels = [[0, 1], [0, 2]]
    champion, challenger = (
        replace(serps_from(*texts), judged=np.array(labels)) for texts in (("10", "11"), ("01", "01"))
    )
    result = outcomes(champion, challenger, cutoff=2)
    assert result.several_relevant.tolist() == [False, True]
    assert result.champion_ranks.tolist() == [1.0, 1.0]


def test_no_queries():
    result = outcomes(ranked([]), ranked([]), cutoff=10)
    assert set(result.shares.values()) == {0.0}


def test_input_that_does_not_fit_is_refused():
    with pytest.raises(UsageError, match="different queries"):
        outcomes(serps_from("1"), serps_from("1", "0"), cutoff=10)
    with pytest.raises(UsageError, match="expected the same labels"):
        outcomes(serps_from("1"), serps_from("1", relevant=3), cutoff=10)
    with pytest.raises(UsageError, match="cutoff=0 cannot be used"):
        outcomes(serps_from("1"), serps_from("1"), cutoff=0)
    longer = replace(serps_from("10"), retrieved=np.array([5]))
    with pytest.raises(UsageError, match="needs 3 ranks"):
        outcomes(longer, serps_from("10"), cutoff=3)
