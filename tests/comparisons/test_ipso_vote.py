"""The range of the vote: the paper's numbers, and every possible split."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from runoff.comparisons.ipso_vote import highest_vote_p, vote_ends, vote_p_range
from runoff.significance import binomial_p

small = st.integers(0, 40)


def test_the_counts_of_figure_6():
    assert vote_p_range(81, 109, 0)[0] == pytest.approx(0.0499, abs=5e-5)
    low, high = vote_p_range(81, 109, 36)
    assert low == pytest.approx(2.5e-5, rel=0.02)
    assert high == pytest.approx(0.64, abs=0.005)  # the paper prints 0.25, for 117 against 109
    assert highest_vote_p(81, 109, 36) == 1.0
    assert [(end.ns, end.ni) for end in vote_ends(81, 109, 36)] == [(81, 145), (117, 109)]


def test_nobody_votes():
    assert vote_p_range(0, 0, 0) == (1.0, 1.0)


@given(small, small)
def test_without_non_separable_queries_there_is_no_range(ns, ni):
    p = binomtest(ns, ns + ni).pvalue if ns + ni else 1.0
    assert vote_p_range(ns, ni, 0) == pytest.approx((p, p), rel=1e-9)
    assert highest_vote_p(ns, ni, 0) == pytest.approx(p, rel=1e-9)


@given(small, small, small)
def test_the_range_and_the_highest_hold_every_split(ns, ni, apart):
    splits = np.arange(apart + 1)
    all_p = binomial_p(ns + splits, ni + apart - splits)
    low, high = vote_p_range(ns, ni, apart)
    assert low == all_p.min()
    assert high == max(all_p[0], all_p[-1])
    assert highest_vote_p(ns, ni, apart) == all_p.max()
