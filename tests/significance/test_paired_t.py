import numpy as np
import pytest
from hypothesis import given
from scipy import stats

from runoff.significance import PairedT
from runoff.significance._base import SMALLEST_P
from tests.significance.cases import board, paired_scores, scipy_result


@given(scores=paired_scores())
def test_equals_scipy(scores):
    differences = scores[1] - scores[0]
    expected = scipy_result("t", *scores)
    if expected is None or np.ptp(differences) < 1e-12:
        return
    result = PairedT().compare(*scores)
    np.testing.assert_allclose((result.statistic, result.p), expected, rtol=1e-9, atol=1e-12)
    interval = stats.ttest_rel(scores[1], scores[0]).confidence_interval()
    np.testing.assert_allclose(result.effect_ci95, interval, rtol=1e-9, atol=1e-12)


def test_equals_scipy_on_a_board():
    scores = board(6980, 2)
    result = PairedT().compare(scores[:, 0], scores[:, 1])
    expected = stats.ttest_rel(scores[:, 1], scores[:, 0])
    np.testing.assert_allclose((result.statistic, result.p), (expected.statistic, expected.pvalue), rtol=1e-9)


def test_students_sleep_data():
    # Student 1908, table on p. 20; t and p as every textbook and R's help page of `sleep` have them.
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    result = PairedT().compare(first, second)
    assert result.statistic == pytest.approx(4.0621, abs=5e-5)
    assert result.p == pytest.approx(0.002833, abs=5e-7)
    assert result.effect_ci95 == pytest.approx((0.7001142, 2.4598858), abs=5e-8)


def test_equal_differences_are_infinitely_clear():
    result = PairedT().compare([0.1] * 7, [0.4] * 7)
    assert result.statistic == np.inf
    assert result.p == SMALLEST_P
    assert result.effect_ci95 == (result.effect, result.effect)


def test_a_p_too_small_for_a_float_is_not_zero():
    noise = np.random.default_rng(0).normal(size=6980) / 100
    assert PairedT().compare(np.zeros(6980), 0.5 + noise).p == SMALLEST_P
