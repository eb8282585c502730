"""Outcomes by recall level: a plain loop over levels, the paper's case, relevance level, cutoff, mirror."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, mannwhitneyu, ttest_rel, wilcoxon

from runoff.comparisons import OUTCOMES, ipso, outcome_tests, outcomes
from runoff.errors import UsageError
from runoff.measures import ESL, RR, Success
from runoff.measures._example import serps_from
from tests.comparisons.reference import pairs, ranked
from tests.significance.cases import whole

cutoffs = st.one_of(st.none(), st.integers(1, 14))


def levels(serp, cutoff, level=1):
    """The ranks of the relevant documents of a list of grades."""
    return [rank for rank, grade in enumerate(serp[:cutoff], start=1) if grade >= level]


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
    assert result.levels.tolist() == np.eye(4).tolist()  # OUTCOMES, one after the other
    assert (result.neither, result.champion_only, result.challenger_only, result.both) == (1, 1, 1, 1)
    assert set(result.shares.values()) == {0.25}
    assert result.queries_more == (1, 1)
    assert np.array_equal(result.champion_ranks, [np.nan, np.nan, np.nan, 2], equal_nan=True)
    assert np.array_equal(result.champion_first, [np.nan, 1, np.nan, 2], equal_nan=True)
    assert result.esl.difference == -1.0  # the challenger is sooner: better
    assert result.rr.difference == 0.5
    assert (result.champion, result.challenger, result.queries) == ("old", "new", 4)


def test_several_relevant_documents():
    # The champion finds 3 of 4 at ranks 1, 4, 5; the challenger 2 at ranks 2, 3: shared levels 1 and 2.
    result = outcomes(serps_from("10011", relevant=4), serps_from("01100", relevant=4), cutoff=5)
    assert result.counts == {"neither": 1, "champion_only": 1, "challenger_only": 0, "both": 2}
    assert result.shares == {"neither": 0.25, "champion_only": 0.25, "challenger_only": 0.0, "both": 0.5}
    assert (result.esl.champion, result.esl.challenger) == ((1 + 4) / 2, (2 + 3) / 2)
    assert (result.rr.champion, result.rr.challenger) == ((1 + 1 / 4) / 2, (1 / 2 + 1 / 3) / 2)
    assert result.queries_more == (1, 0)
    assert result.several_relevant == 1


def test_no_more_can_be_found_than_ranks_to_the_cutoff():
    result = outcomes(serps_from("10", relevant=40), serps_from("01", relevant=40), cutoff=2)
    assert result.counts == {"neither": 1, "champion_only": 0, "challenger_only": 0, "both": 1}


@given(pairs(highest=3), cutoffs, st.integers(1, 3))
def test_equals_a_loop_over_levels(pair, cutoff, level):
    champion, challenger = (ranked(lists, highest=3) for lists in pair)
    result = outcomes(champion, challenger, cutoff=cutoff, level=level)
    found = [[levels(serp, cutoff, level) for serp in lists] for lists in pair]
    relevant = 50 * (4 - level)
    counts, shares, lengths, reciprocals = [0] * 4, [Fraction(0)] * 4, [], []
    for first, second in zip(*found, strict=True):
        of_query = [0] * 4
        for at in range(min(relevant, cutoff or relevant)):
            of_query[(at < len(first)) + 2 * (at < len(second))] += 1
        counts = [one + more for one, more in zip(counts, of_query, strict=True)]
        shares = [one + Fraction(more, sum(of_query)) for one, more in zip(shares, of_query, strict=True)]
        shared = list(zip(first, second, strict=False))
        if shared:
            lengths.append([Fraction(sum(ranks), len(shared)) for ranks in zip(*shared, strict=True)])
            reciprocals.append([sum(Fraction(1, r) for r in one) / len(shared) for one in zip(*shared, strict=True)])
    assert list(result.counts.values()) == counts
    assert list(result.counts) == list(OUTCOMES)
    queries = len(pair[0])
    assert list(result.shares.values()) == pytest.approx([float(share / queries) for share in shares])
    assert sum(result.shares.values()) == pytest.approx(1.0)
    for means, values in ((result.esl, lengths), (result.rr, reciprocals)):
        for at, mean in enumerate((means.champion, means.challenger)):
            if values:
                assert mean == pytest.approx(float(sum(one[at] for one in values) / len(values)), rel=1e-12)
            else:
                assert math.isnan(mean)
    more = [sum(len(one) > len(other) for one, other in zip(a, b, strict=True)) for a, b in (found, found[::-1])]
    assert list(result.queries_more) == more


@given(st.data())
def test_with_one_relevant_document_it_is_the_paper_to_the_last_bit(data):
    depth, queries = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 8))
    ranks = st.lists(st.integers(0, depth), min_size=queries, max_size=queries)
    runs = [
        serps_from(*("".join("1" if at == rank else "0" for at in range(1, depth + 1)) for rank in data.draw(ranks)))
        for _ in range(2)
    ]
    cutoff = data.draw(st.integers(1, 13))
    result = outcomes(*runs, cutoff=cutoff)
    first = [ESL(cutoff=cutoff).values(one) for one in runs]
    is_found = [~np.isnan(one) for one in first]
    both = is_found[0] & is_found[1]
    assert result.counts == {
        "neither": int((~is_found[0] & ~is_found[1]).sum()),
        "champion_only": int((is_found[0] & ~is_found[1]).sum()),
        "challenger_only": int((~is_found[0] & is_found[1]).sum()),
        "both": int(both.sum()),
    }
    assert result.queries_more == (result.champion_only, result.challenger_only)
    assert np.array_equal(result.in_both, both)
    if both.any():
        for means, values in ((result.esl, first), (result.rr, [1.0 / one for one in first])):
            assert means.champion == float(values[0][both].mean())
            assert means.challenger == float(values[1][both].mean())


@given(pairs(), cutoffs)
def test_swapping_the_runs_mirrors_everything(pair, cutoff):
    there = outcomes(*(ranked(lists) for lists in pair), cutoff=cutoff)
    back = outcomes(*(ranked(lists) for lists in pair[::-1]), cutoff=cutoff)
    assert (there.neither, there.champion_only, there.both) == (back.neither, back.challenger_only, back.both)
    assert there.queries_more == back.queries_more[::-1]
    assert np.array_equal(there.champion_ranks, back.challenger_ranks, equal_nan=True)
    if there.both:
        assert there.esl.difference == -back.esl.difference
        assert there.rr.difference == -back.rr.difference


@given(pairs(), cutoffs)
def test_the_first_ranks_are_those_of_the_measures(pair, cutoff):
    champion, challenger = (ranked(lists) for lists in pair)
    result = outcomes(champion, challenger, cutoff=cutoff)
    assert np.array_equal(np.nan_to_num(1.0 / result.champion_first), RR(cutoff=cutoff).values(champion))
    success = Success(cutoff=cutoff or champion.depth)
    assert np.array_equal(result.challenger_found > 0, success.values(challenger) > 0)


def test_queries_that_nobody_can_answer_are_left_out_and_counted():
    labels = np.array([[3, 1], [4, 0], [2, 2]])
    champion, challenger = (
        replace(serps_from(*texts), judged=labels) for texts in (("10", "00", "11"), ("01", "00", "00"))
    )
    result = outcomes(champion, challenger, cutoff=2)
    assert (result.queries, result.unanswerable, result.several_relevant) == (3, 1, 1)
    assert result.answerable.tolist() == [True, False, True]
    assert result.shares == {"neither": 0.0, "champion_only": 0.5, "challenger_only": 0.0, "both": 0.5}


def test_beyond_the_cutoff_nothing_is_found():
    result = outcomes(serps_from("0001"), serps_from("0010"), cutoff=3)
    assert result.challenger_only == 1


def test_no_queries():
    result = outcomes(ranked([]), ranked([]), cutoff=10)
    assert set(result.shares.values()) == {0.0}
    assert result.queries_more == (0, 0)


def test_input_that_does_not_fit_is_refused():
    with pytest.raises(UsageError, match="different queries"):
        outcomes(serps_from("1"), serps_from("1", "0"), cutoff=10)
    with pytest.raises(UsageError, match="expected the same labels"):
        outcomes(serps_from("1"), serps_from("1", relevant=3), cutoff=10)
    with pytest.raises(UsageError, match="depth 0 cannot be used"):
        outcomes(serps_from("1"), serps_from("1"), cutoff=0)
    longer = replace(serps_from("10"), retrieved=np.array([5]))
    with pytest.raises(UsageError, match="3 ranks are needed"):
        outcomes(longer, serps_from("10"), cutoff=3)


@given(pairs(highest=1), st.booleans())
def test_a_run_that_is_non_inferior_everywhere_is_never_fewer_or_later(pair, keep_length):
    """Every relevant document of the second run is moved up by one rank where there is room, or one is added."""
    better = []
    for serp in pair[0]:
        moved = list(serp)
        for at in range(1, len(moved)):
            if moved[at] >= 1 > moved[at - 1]:
                moved[at - 1], moved[at] = moved[at], moved[at - 1]
        if not keep_length and 0 in moved:
            moved[moved.index(0)] = 1
        better.append(moved)
    champion, challenger = ranked(pair[0]), ranked(better)
    vote = ipso(champion, challenger, depth=len(better[0])).at_depth
    assert vote.ni == vote.nonseparable == 0  # the challenger is non-inferior on every query
    result = outcomes(champion, challenger, cutoff=None)
    assert result.queries_more[0] == 0
    both = result.in_both
    assert (result.champion_ranks[both] >= result.challenger_ranks[both]).all()


DEPTH = 20


def at_rank(rank):
    return "".join("1" if place == rank else "0" for place in range(1, DEPTH + 1))


@pytest.fixture
def ranks():
    """Ranks from 1 to 25 of two runs, 0 for not found; beyond the depth is not found either."""
    rng = np.random.default_rng(7)
    champion = rng.integers(1, 26, 200)
    challenger = np.maximum(champion + rng.integers(-9, 7, 200), 1)
    return champion, challenger


def result_of(champion, challenger):
    runs = [serps_from(*(at_rank(rank) for rank in one)) for one in (champion, challenger)]
    return outcome_tests(outcomes(*runs, cutoff=DEPTH))


def test_every_value_is_that_of_scipy(ranks):
    champion, challenger = ranks
    result = result_of(*ranks)
    both = (champion <= DEPTH) & (challenger <= DEPTH)
    assert result.esl is not None
    assert result.rr is not None
    esl = champion[both].astype(float), challenger[both].astype(float)
    for facet, (one, other) in ((result.esl, esl), (result.rr, tuple(1 / values for values in esl))):
        assert facet.signed_rank.p == pytest.approx(wilcoxon(whole(one, other)).pvalue)
        assert facet.t.p == pytest.approx(ttest_rel(other, one).pvalue)
        assert facet.t.effect == pytest.approx((other - one).mean())
        assert facet.t.n == both.sum()
    won, lost = (
        int(((champion > DEPTH) & ~(challenger > DEPTH)).sum()),
        int(((challenger > DEPTH) & ~(champion > DEPTH)).sum()),
    )
    assert result.more.p == pytest.approx(binomtest(won, won + lost).pvalue)
    assert (result.more.statistic, result.more.n_used) == (won, won + lost)
    one, other = (np.where(values <= DEPTH, 1 / values, 0.0) for values in ranks)
    assert result.naive.difference == pytest.approx(other.mean() - one.mean())
    assert result.naive.t.p == pytest.approx(ttest_rel(other, one).pvalue)
    assert result.naive.signed_rank.p == pytest.approx(wilcoxon(whole(one, other)).pvalue)
    assert result.naive.rank_sum.p == pytest.approx(mannwhitneyu(other, one, method="asymptotic").pvalue)


def test_an_earlier_challenger_has_an_esl_effect_below_zero():
    result = result_of([3, 4, 5, 6, 7, 0], [1, 2, 3, 4, 5, 1])
    assert result.esl is not None
    assert result.rr is not None
    assert result.esl.t.effect == -2.0
    assert result.esl.signed_rank.effect == -1.0
    assert result.rr.t.effect > 0
    assert result.naive.difference > 0
    assert result.more.effect == 1.0


def test_no_query_in_both():
    result = result_of([1, 0, 0], [0, 2, 3])
    assert (result.esl, result.rr) == (None, None)
    assert result.more.statistic == 2.0


def test_identical_runs_give_one():
    result = result_of([1, 2, 0], [1, 2, 0])
    assert result.esl is not None
    facets = [result.more, result.esl.t, result.esl.signed_rank, result.naive.t, result.naive.rank_sum]
    assert {facet.p for facet in facets} == {1.0}
    assert result.naive.difference == 0.0


@given(pairs())
def test_swapping_the_runs_mirrors_everything_outcome_tests(pair):
    there, back = (outcome_tests(outcomes(*(ranked(one) for one in runs), cutoff=None)) for runs in (pair, pair[::-1]))
    assert there.more.p == back.more.p
    assert there.more.effect == pytest.approx(1 - back.more.effect)
    assert there.naive is not None
    assert back.naive is not None
    assert there.naive.difference == -back.naive.difference
    assert there.naive.t.p == pytest.approx(back.naive.t.p)
    assert (there.esl is None) == (back.esl is None)
    if there.esl and back.esl:
        assert there.esl.t.effect == pytest.approx(-back.esl.t.effect)
        assert there.esl.signed_rank.p == pytest.approx(back.esl.signed_rank.p)
