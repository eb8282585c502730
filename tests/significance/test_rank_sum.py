import math

import numpy as np
import pytest
from hypothesis import given
from scipy import stats

from runoff.significance import RankSum
from tests.significance.cases import board, paired_scores, scipy_result


@given(scores=paired_scores())
def test_equals_scipy(scores):
    expected = scipy_result("rank_sum", *scores)
    result = RankSum().compare(*scores)
    np.testing.assert_allclose((result.statistic, result.p), expected, rtol=1e-9)


def test_equals_scipy_on_a_board():
    scores = board(6980, 2)
    result = RankSum().compare(scores[:, 0], scores[:, 1])
    expected = stats.mannwhitneyu(scores[:, 1], scores[:, 0], method="asymptotic")
    np.testing.assert_allclose((result.statistic, result.p), (expected.statistic, expected.pvalue), rtol=1e-12)


@given(scores=paired_scores(max_size=15))
def test_effect_is_the_share_of_query_pairs_won(scores):
    champion, challenger = scores
    won = [float(high > low) + float(high == low) / 2 for high in challenger for low in champion]
    assert RankSum().compare(champion, challenger).effect == pytest.approx(np.mean(won), abs=1e-12)


def slow_interval(champion, challenger):
    """The interval of paired placements, by loops over all pairs of queries."""
    n = len(champion)

    def share_below(score, scores):
        return sum(1.0 if other < score else 0.5 if other == score else 0.0 for other in scores) / n

    placed = [share_below(score, champion) for score in challenger]
    others = [share_below(score, challenger) for score in champion]
    theta = sum(placed) / n
    both = [one - other for one, other in zip(placed, others, strict=True)]
    mean = sum(both) / n
    error = math.sqrt(sum((one - mean) ** 2 for one in both) / (n - 1) / n) / (theta * (1 - theta))
    half = stats.t.ppf(0.975, n - 1) * max(error, 2 / n**1.5)
    return [1 / (1 + math.exp(-(math.log(theta / (1 - theta)) + side * half))) for side in (-1, 1)]


@given(scores=paired_scores(max_size=20))
def test_interval_equals_a_slow_loop(scores):
    champion, challenger = scores
    result = RankSum().compare(champion, challenger)
    if len(champion) == 1 or (champion == challenger).all() or result.effect in (0.0, 1.0):
        return  # the tests below look at these
    np.testing.assert_allclose(result.effect_ci95, slow_interval(champion.tolist(), challenger.tolist()), atol=1e-9)


@given(scores=paired_scores(max_size=20))
def test_interval_keeps_its_range_and_mirrors(scores):
    champion, challenger = scores
    low, high = RankSum().compare(champion, challenger).effect_ci95
    assert 0.0 <= low <= high <= 1.0
    assert (low == high) == (len(champion) > 1 and bool((champion == challenger).all()))
    mirrored = RankSum().compare(challenger, champion).effect_ci95
    np.testing.assert_allclose(mirrored, (1 - high, 1 - low), rtol=0, atol=1e-12)


def queries_alike(rng, n):
    """Scores of two runs that agree on which queries are hard; the truth is Phi(0.2 / sqrt(2))."""
    hard = rng.normal(size=n)
    return hard, 0.2 + 0.95 * hard + math.sqrt(1 - 0.95**2) * rng.normal(size=n)


def skewed(rng, n):
    """Exponential scores; the challenger has the higher of two in half of the queries, the lower in a quarter."""
    first, other = rng.exponential(size=(2, n))
    luck = rng.random(n)
    return first, np.where(luck < 0.5, np.maximum(first, other), np.where(luck < 0.75, np.minimum(first, other), first))


def tied(rng, n):
    """Scores 0, 1/2 and 1; the challenger gains 1/2 in half of the queries and loses it in a quarter, if it can."""
    first, luck = rng.integers(0, 3, size=n) / 2, rng.random(n)
    return first, np.clip(first + np.where(luck < 0.5, 0.5, np.where(luck < 0.75, -0.5, 0.0)), 0.0, 1.0)


TRUTHS = {
    queries_alike: stats.norm.cdf(0.2 / math.sqrt(2)),
    skewed: 1 / 2 * 2 / 3 + 1 / 4 * 1 / 3 + 1 / 4 * 1 / 2,
    # Scores 0, 1/2, 1 have the chances 4, 4, 4 of 12 for the champion and 3, 4, 5 of 12 for the challenger.
    tied: 3 / 12 * 1 / 6 + 4 / 12 * 3 / 6 + 5 / 12 * 5 / 6,
}


@pytest.mark.parametrize("n", [20, 50])
@pytest.mark.parametrize("draw", TRUTHS, ids=lambda draw: draw.__name__)
def test_interval_holds_the_truth_in_95_percent(draw, n):
    rng = np.random.default_rng(n)
    held = 0
    for _ in range(600):
        low, high = RankSum().compare(*draw(rng, n)).effect_ci95
        held += low <= TRUTHS[draw] <= high
    assert 0.92 <= held / 600 <= 0.995


def test_all_scores_equal():
    result = RankSum().compare([0.5] * 9, [0.5] * 9)
    assert (result.statistic, result.p, result.effect, result.effect_ci95) == (40.5, 1.0, 0.5, (0.5, 0.5))


def test_complete_separation_has_the_interval_of_as_many_wins():
    forth = RankSum().compare([0.1, 0.2, 0.3], [0.4, 0.5, 0.6])
    back = RankSum().compare([0.4, 0.5, 0.6], [0.1, 0.2, 0.3])
    wins = stats.binomtest(3, 3).proportion_ci()
    assert (forth.effect, back.effect) == (1.0, 0.0)
    np.testing.assert_allclose(forth.effect_ci95, (wins.low, 1.0))
    np.testing.assert_allclose(back.effect_ci95, (0.0, 1.0 - wins.low))


def test_placements_that_all_differ_alike_keep_an_interval():
    # Every score of the challenger is one place above the champion's, so the placements have no variance.
    champion = np.arange(30.0)
    low, high = RankSum().compare(champion, champion + 0.5).effect_ci95
    assert low < 0.5 + 1 / 60 < high
    assert 0.001 < high - low < 0.02


def test_runs_that_tie_on_every_query_have_no_width():
    scores = np.arange(9.0)
    assert RankSum().compare(scores, scores).effect_ci95 == (0.5, 0.5)


def test_one_query_says_nothing():
    assert RankSum().compare([0.2], [0.4]).effect_ci95 == RankSum().compare([0.2], [0.2]).effect_ci95 == (0.0, 1.0)


def test_paired_runs_have_a_narrower_interval_than_unpaired_ones():
    rng = np.random.default_rng(3)
    champion, challenger = queries_alike(rng, 200)
    together = RankSum().compare(champion, challenger)
    apart = RankSum().compare(champion, rng.permutation(challenger))
    assert together.p == pytest.approx(apart.p)
    assert np.diff(together.effect_ci95) < 0.5 * np.diff(apart.effect_ci95)
