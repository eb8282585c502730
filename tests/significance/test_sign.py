import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runoff.significance import Sign, binomial_p
from runoff.significance._base import SMALLEST_P
from tests.significance.cases import paired_scores


@given(scores=paired_scores())
def test_equals_scipy(scores):
    champion, challenger = scores
    wins, losses = int((challenger > champion).sum()), int((challenger < champion).sum())
    result = Sign().compare(champion, challenger)
    assert (result.statistic, result.n_used) == (wins, wins + losses)
    if wins + losses:
        expected = stats.binomtest(wins, wins + losses)
        assert result.p == pytest.approx(expected.pvalue, rel=1e-9)
        np.testing.assert_allclose(result.effect_ci95, expected.proportion_ci(), rtol=1e-9, atol=1e-12)
    else:
        assert (result.p, result.effect, result.effect_ci95) == (1.0, 0.5, (0.0, 1.0))


@given(wins=st.integers(0, 5000), losses=st.integers(0, 5000))
def test_large_counts_equal_scipy(wins, losses):
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert float(binomial_p(wins, losses)) == pytest.approx(max(expected, SMALLEST_P), rel=1e-9)


def test_published_counts():
    # Moffat & Mackenzie 2024, section 4; the last p is 0.64, not the 0.25 that the paper prints.
    p = binomial_p([81, 81, 117], [109, 145, 109])
    assert p.round(4).tolist() == [0.0499, 0.0, 0.6416]
    assert p[1] == pytest.approx(2.5e-5, abs=5e-7)
