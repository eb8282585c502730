"""Shares, their interval and test."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runoff.preferences import PreferredShare


@given(st.integers(0, 3000), st.integers(0, 3000), st.integers(0, 50))
def test_equals_scipy(wins, losses, even):
    found = PreferredShare.of(wins, losses, even)
    if wins + losses:
        expected = stats.binomtest(wins, wins + losses)
        assert found.p == pytest.approx(max(expected.pvalue, 5e-324), rel=1e-9)
        assert found.ci95 == pytest.approx(tuple(expected.proportion_ci()), rel=1e-9, abs=1e-12)
        assert found.share == expected.statistic  # even splits have no part in share, interval or test
        assert found.ci95[0] <= found.share <= found.ci95[1]
        assert (found.p < 0.05) == (not found.ci95[0] <= 0.5 <= found.ci95[1])
    assert (found.counted, found.even) == (wins + losses, even)


def test_published_counts():
    # Arabzadeh et al. 2021, Table 2 and Figure 2.
    assert round(100 * PreferredShare.of(1228, 640).share, 1) == 65.7
    assert round(100 * PreferredShare.of(2996, 2116).share, 1) == 58.6
    assert PreferredShare.of(2996, 2116).p < 1e-30


def test_nothing_judged():
    found = PreferredShare.of(0, 0)
    assert math.isnan(found.share)
    assert (found.p, found.ci95) == (1.0, (0.0, 1.0))
