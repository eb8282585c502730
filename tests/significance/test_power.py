"""Power: formulas by hand, the sign test by brute force, ranks by a slow version, laws, and 80% by simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from runoff.errors import UsageError
from runoff.significance.power import (
    MOST_QUERIES,
    needed_queries,
    needed_votes,
    power_factor,
    score_powers,
    sign_power,
    student_factor,
    vote_power,
)


def t_power(champion, challenger):
    return score_powers(champion, challenger, tests=("t",))["t"]


def noncentral_power(n, factor, level=0.05):
    """The power of a t test at a difference of so many standard errors, from scipy.stats."""
    return stats.nct.sf(stats.t.ppf(1 - level / 2, n - 1), n - 1, factor)


def test_the_formula_by_hand():
    champion, challenger = np.array([0.0, 0.0, 0.0, 0.0]), np.array([0.1, 0.2, 0.3, 0.2])
    result = t_power(champion, challenger)
    deviation = np.std([0.1, 0.2, 0.3, 0.2], ddof=1)
    assert noncentral_power(4, result.smallest / (deviation / 2)) == pytest.approx(0.8, abs=1e-9)
    assert result.needed == 4  # the observed 0.2 has 89% power with 4 queries, and 60% with 3
    assert noncentral_power(4, 0.2 / (deviation / 2)) > 0.8 > noncentral_power(3, 0.2 / deviation * math.sqrt(3))
    assert power_factor(0.05, 0.8) == pytest.approx(stats.norm.ppf(0.975) + stats.norm.ppf(0.8))
    assert t_power([0.5, 0.5], [0.5, 0.5]).needed is None


@pytest.mark.parametrize("n", [2, 3, 5, 25, 50, 1000, 100_000])
@pytest.mark.parametrize("level, power", [(0.05, 0.8), (0.01, 0.9), (0.001, 0.5), (1e-5, 0.8), (0.05, 0.1)])
def test_the_factor_is_that_of_the_noncentral_t(n, level, power):
    factor = student_factor(n, level, power)
    if n == 2 and level == 1e-5:  # a critical t of 63,662, where the spread alone counts: P(|Z| < factor / t)
        assert 2 * stats.norm.cdf(factor / stats.t.ppf(1 - level / 2, 1)) - 1 == pytest.approx(power, abs=1e-9)
        return
    assert noncentral_power(n, factor, level) == pytest.approx(power, abs=1e-9)


def test_the_factor_falls_to_the_normal_one():
    sizes = [2, 3, 4, 10, 30, 100, 10**3, 10**4, 10**5, 10**5 + 1, 10**6, 10**9, 10**12]
    factors = [student_factor(n, 0.05, 0.8) for n in sizes]
    assert factors == sorted(factors, reverse=True)
    assert factors[-1] == pytest.approx(power_factor(0.05, 0.8), abs=1e-9)
    # The formula from Abramowitz & Stegun, which takes over from 100,000 queries on, agrees there.
    freedom, critical = 10**5 - 1, stats.t.ppf(0.975, 10**5 - 1)
    limit = critical * (1 - 1 / (4 * freedom)) + stats.norm.ppf(0.8) * math.sqrt(1 + critical**2 / (2 * freedom))
    assert student_factor(10**5, 0.05, 0.8) == pytest.approx(limit, abs=1e-9)
    assert noncentral_power(10**5 + 1, student_factor(10**5 + 1, 0.05, 0.8)) == pytest.approx(0.8, abs=1e-9)


def test_any_level_power_and_number_of_queries_has_a_factor():
    for n in (2, 3, 4, 30, 10**4, 10**5, 10**5 + 1, 10**12):
        for level in (0.9, 0.05, 1e-4, 6e-5, 1e-8):
            factors = [student_factor(n, level, power) for power in (1e-9, 0.1, 0.5, 0.8, 0.99, 1 - 1e-6)]
            assert factors == sorted(factors)
            assert factors[0] == 0.0
            assert math.isfinite(factors[-1])


@pytest.mark.parametrize("n", [25, 50, 200])
def test_a_t_test_finds_the_smallest_difference_in_80_percent(n):
    rng = np.random.default_rng(n)
    boards, deviation = 8000, 0.3
    for factor, power in ((student_factor(n, 0.05, 0.8), 0.8), (power_factor(0.05, 0.8), None)):
        found = rng.normal(factor * deviation / math.sqrt(n), deviation, size=(boards, n))
        result = stats.ttest_1samp(found, 0, axis=1)
        share = np.mean((result.pvalue < 0.05) & (result.statistic > 0))
        error = 3 * math.sqrt(0.16 / boards)
        assert share == pytest.approx(noncentral_power(n, factor) if power is None else power, abs=error)
    assert noncentral_power(25, power_factor(0.05, 0.8)) < 0.77  # what the normal formula promised as 80%


@pytest.mark.parametrize("ratio", [100.0, 3.0, 1.0, 0.7, 0.33, 0.2])
@pytest.mark.parametrize("level, power", [(0.05, 0.8), (0.01, 0.9), (0.05, 0.1)])
def test_the_queries_needed_by_trying_them_all(ratio, level, power):
    n = 2
    while noncentral_power(n, ratio * math.sqrt(n), level) < power:
        n += 1
    assert needed_queries(ratio, level, power) == n


def test_the_smallest_difference_needs_just_these_queries():
    for n in (2, 3, 5, 24, 100, 5793, 99_999, 100_000, 100_001, 10**7):
        ratio = student_factor(n, 0.05, 0.8) / math.sqrt(n)
        assert needed_queries(ratio, 0.05, 0.8) == n
        assert needed_queries(ratio * 0.9999, 0.05, 0.8) > n
    assert needed_queries(1e-30, 0.05, 0.8) == MOST_QUERIES
    assert needed_queries(math.inf, 0.05, 0.8) == 2


@pytest.mark.parametrize("votes", [1, 5, 6, 13, 40, 101])
@pytest.mark.parametrize("level", [0.05, 0.01])
def test_the_power_of_the_sign_test_by_brute_force(votes, level):
    for share in (0.5, 0.6, 0.9):
        brute = sum(
            stats.binom.pmf(wins, votes, share)
            for wins in range(votes + 1)
            if wins > votes / 2 and stats.binomtest(wins, votes).pvalue < level
        )
        assert sign_power(votes, share, level) == pytest.approx(brute, abs=1e-12)


def test_votes():
    result = vote_power(60, 40)
    assert result.smallest is not None
    assert sign_power(100, result.smallest, 0.05) == pytest.approx(0.8, abs=1e-6)
    assert result.needed is not None
    assert sign_power(result.needed, 0.6, 0.05) >= 0.8
    assert sign_power(result.needed // 2, 0.6, 0.05) < 0.8
    assert vote_power(5, 0).smallest is None  # five votes can never be significant
    assert vote_power(3, 3).needed is None
    assert vote_power(0, 0).smallest is None


def test_many_votes_take_the_normal_law():
    """Just below and above the change of method the numbers go on, and a share near one half takes no time."""
    below, above = needed_votes(0.50444, 0.05, 0.8), needed_votes(0.50442, 0.05, 0.8)
    assert below is not None
    assert above is not None
    assert below < 100_000 < above
    assert above / below == pytest.approx((0.00444 / 0.00442) ** 2, rel=0.005)
    assert needed_votes(0.5 + 1e-5, 0.05, 0.8) == pytest.approx((power_factor(0.05, 0.8) / 2e-5) ** 2, rel=1e-4)
    assert needed_votes(0.5 + 1e-9, 0.05, 0.8) is None


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: score_powers([0.1], [0.2]), "two at least"),
        (lambda: power_factor(0, 0.8), "between 0 and 1"),
        (lambda: student_factor(9, 0.05, 1.0), "between 0 and 1"),
        (lambda: vote_power(-1, 2), "counts of 0 or more"),
    ],
)
def test_what_cannot_be_used_is_explained(call, message):
    with pytest.raises(UsageError, match=message):
        call()
