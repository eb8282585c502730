"""Resolution: formulas by hand, the sign test's power by brute force, and both by simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from runoff.boards.resolution import needed_votes, power_factor, resolution, sign_power, vote_resolution
from runoff.errors import UsageError


def test_the_formula_by_hand():
    champion, challenger = np.array([0.0, 0.0, 0.0, 0.0]), np.array([0.1, 0.2, 0.3, 0.2])
    result = resolution(champion, challenger)
    deviation = np.std([0.1, 0.2, 0.3, 0.2], ddof=1)
    factor = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert power_factor(0.05, 0.8) == pytest.approx(factor)
    assert result.smallest == pytest.approx(factor * deviation / 2)
    assert result.needed == math.ceil((factor * deviation / 0.2) ** 2)
    assert resolution([0.5, 0.5], [0.5, 0.5]).needed is None


def test_a_t_test_finds_the_smallest_difference_in_80_percent():
    rng = np.random.default_rng(0)
    n, boards = 200, 2000
    deviation = 0.3
    smallest = power_factor(0.05, 0.8) * deviation / math.sqrt(n)
    found = rng.normal(smallest, deviation, size=(boards, n))
    p = stats.ttest_1samp(found, 0, axis=1).pvalue
    assert np.mean(p < 0.05) == pytest.approx(0.8, abs=3 * math.sqrt(0.16 / boards) + 0.005)


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
    result = vote_resolution(60, 40)
    assert result.smallest is not None
    assert sign_power(100, result.smallest, 0.05) == pytest.approx(0.8, abs=1e-6)
    assert result.needed is not None
    assert sign_power(result.needed, 0.6, 0.05) >= 0.8
    assert sign_power(result.needed // 2, 0.6, 0.05) < 0.8
    assert vote_resolution(5, 0).smallest is None  # five votes can never be significant
    assert vote_resolution(3, 3).needed is None
    assert vote_resolution(0, 0).smallest is None


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
        (lambda: resolution([0.1], [0.2]), "two at least"),
        (lambda: power_factor(0, 0.8), "between 0 and 1"),
        (lambda: vote_resolution(-1, 2), "counts of 0 or more"),
    ],
)
def test_what_cannot_be_used_is_explained(call, message):
    with pytest.raises(UsageError, match=message):
        call()
