"""Equivalence: scipy's one-sided t tests, and the level at the margin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runoff.errors import UsageError
from runoff.significance import equivalence


@given(st.integers(0, 50), st.floats(0.01, 0.3))
def test_equals_scipys_one_sided_tests(seed, margin):
    rng = np.random.default_rng(seed)
    champion, challenger = rng.random(20), rng.random(20)
    result = equivalence(champion, challenger, margin=margin)
    differences = challenger - champion
    assert result.no_worse_p == pytest.approx(stats.ttest_1samp(differences, -margin, alternative="greater").pvalue)
    assert result.no_better_p == pytest.approx(stats.ttest_1samp(differences, margin, alternative="less").pvalue)
    assert result.p == max(result.no_worse_p, result.no_better_p)
    low, high = result.difference_ci90
    assert (-margin < low and high < margin) == (result.p < 0.05)


def test_swapping_the_runs_mirrors():
    rng = np.random.default_rng(1)
    one, other = rng.random(15), rng.random(15)
    there, back = equivalence(one, other, margin=0.1), equivalence(other, one, margin=0.1)
    assert [there.no_worse_p, there.p] == pytest.approx([back.no_better_p, back.p])


def test_the_level_holds_at_the_margin():
    rng = np.random.default_rng(2)
    hits = sum(equivalence(np.zeros(30), rng.normal(-0.1, 0.3, 30), margin=0.1).no_worse_p < 0.05 for _ in range(2000))
    assert hits / 2000 == pytest.approx(0.05, abs=3 * np.sqrt(0.05 * 0.95 / 2000))


def test_edges():
    assert equivalence([0.5], [0.5], margin=0.1).p == 1.0
    assert equivalence([0.5, 0.5], [0.5, 0.5], margin=0.1).p < 1e-300
    with pytest.raises(UsageError, match="margin=0 cannot be used"):
        equivalence([0.5], [0.5], margin=0)
