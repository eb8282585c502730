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


def test_all_scores_equal():
    result = RankSum().compare([0.5] * 9, [0.5] * 9)
    assert (result.statistic, result.p, result.effect, result.effect_ci95) == (40.5, 1.0, 0.5, (0.5, 0.5))


def test_complete_separation_keeps_an_interval():
    low, high = RankSum().compare([0.1, 0.2, 0.3], [0.4, 0.5, 0.6]).effect_ci95
    assert 0.3 < low < 0.6
    assert high == 1.0
