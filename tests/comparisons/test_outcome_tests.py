"""The tests of outcomes: scipy's values facet by facet, directions, mirror, and facets without queries."""

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import binomtest, mannwhitneyu, ttest_rel, wilcoxon

from runoff.comparisons import outcome_tests, outcomes
from runoff.comparisons._example import serps_from
from tests.comparisons.reference import pairs, ranked
from tests.significance.cases import whole

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
def test_swapping_the_runs_mirrors_everything(pair):
    there, back = (outcome_tests(outcomes(*(ranked(one) for one in runs), cutoff=None)) for runs in (pair, pair[::-1]))
    assert there.more.p == back.more.p
    assert there.more.effect == pytest.approx(1 - back.more.effect)
    assert there.naive.difference == -back.naive.difference
    assert there.naive.t.p == pytest.approx(back.naive.t.p)
    assert (there.esl is None) == (back.esl is None)
    if there.esl and back.esl:
        assert there.esl.t.effect == pytest.approx(-back.esl.t.effect)
        assert there.esl.signed_rank.p == pytest.approx(back.esl.signed_rank.p)
