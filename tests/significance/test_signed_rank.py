import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import runoff
from runoff.significance import SignedRank
from tests.significance.cases import RECIPROCALS, board, paired_scores, scipy_result, whole


@given(scores=paired_scores(max_size=80))
def test_equals_scipy(scores):
    if 10 <= len(scores[0]) <= 13:
        return  # scipy needs seconds here; other tests look at these sizes
    expected = scipy_result("signed_rank", *scores)
    result = SignedRank().compare(*scores)
    if expected is None:
        assert result.p == 1.0
        return
    np.testing.assert_allclose((result.statistic, result.p), expected, rtol=1e-9)


@pytest.mark.parametrize("n", [1, 2, 3, 9, 14, 49, 50, 51])
@pytest.mark.parametrize("kind", ["plain", "zero", "tie", "zeros and ties"])
def test_equals_scipy_where_the_method_changes(n, kind):
    differences = np.random.default_rng(n).normal(0.3, 1, size=n)
    if "zero" in kind:
        differences[0] = 0.0
    if "tie" in kind and n > 2:
        differences[1] = -differences[2]
    if kind == "zeros and ties":
        differences = np.round(differences)
    result = SignedRank().compare(np.zeros(n), differences)
    if not differences.any():
        assert result.p == 1.0
        return
    expected = stats.wilcoxon(differences)
    np.testing.assert_allclose((result.statistic, result.p), (expected.statistic, expected.pvalue), rtol=1e-9)
    assert result.n_used == np.count_nonzero(differences)
    assert result.method == ("exact" if n <= 13 or (n <= 50 and kind == "plain") else "asymptotic")


def test_equals_scipy_for_the_most_queries_with_exact_ties():
    differences = np.array([0, 1, 1, -1, 2, 2, -2, 3, 3, 3, 3, 4, -4])
    result = SignedRank().compare(np.zeros(13), differences)
    assert result.method == "exact"
    assert result.p == pytest.approx(stats.wilcoxon(differences).pvalue, rel=1e-12)


def test_equals_scipy_on_a_board():
    scores = board(6980, 2)
    result = SignedRank().compare(scores[:, 0], scores[:, 1])
    expected = stats.wilcoxon(whole(scores[:, 0], scores[:, 1]))
    np.testing.assert_allclose((result.statistic, result.p), (expected.statistic, expected.pvalue), rtol=1e-12)


def test_darwins_plants():
    # Differences of Darwin 1876, p. 17, with p as in the documentation of scipy.stats.wilcoxon.
    differences = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
    result = SignedRank().compare(np.zeros(15), differences)
    assert (result.statistic, result.p) == (24.0, 0.041259765625)
    assert result.effect == (96 - 24) / 120


@given(differences=st.lists(st.sampled_from(RECIPROCALS + [-value for value in RECIPROCALS]), min_size=1, max_size=9))
def test_exact_p_equals_counting_all_signs(differences):
    values = np.array(differences)
    ranks = stats.rankdata(np.abs(values[values != 0]))
    observed = ranks[values[values != 0] > 0].sum()
    sums = np.array([ranks @ signs for signs in itertools.product((0, 1), repeat=len(ranks))])
    expected = min(1.0, 2 * min((sums <= observed).mean(), (sums >= observed).mean()))
    assert SignedRank().compare(np.zeros(len(values)), values).p == pytest.approx(expected, rel=1e-12)


def test_the_interval_agrees_with_the_test():
    rng = np.random.default_rng(0)
    for _ in range(300):
        result = SignedRank().compare(np.zeros(60), rng.normal(0.25, 1, size=60))
        assert (result.effect_ci95[0] > 0 or result.effect_ci95[1] < 0) == (result.p < 0.05)


def test_ties_on_real_data_are_those_of_the_measure(shared_data):
    # P@10 has 11 values, so that many differences are tied; as floats 0.3 - 0.2 and 0.2 - 0.1 are not.
    files = [shared_data / "robust03" / f"input.{name}.gz" for name in ("InexpC2", "fub03IeOLKe3")]
    result = runoff.evaluate(files, shared_data / "robust03" / "qrels.txt.gz", measures=["P@10"])
    champion, challenger = result.scores[0].values.T
    assert len(champion) == 100
    assert SignedRank().compare(champion, challenger).p == pytest.approx(0.0498, abs=5e-5)
    assert SignedRank().compare(challenger, champion).p == pytest.approx(0.0498, abs=5e-5)
    assert stats.wilcoxon(np.rint(10 * challenger) - np.rint(10 * champion)).pvalue == pytest.approx(0.0498, abs=5e-5)
    assert stats.wilcoxon(challenger - champion).pvalue == pytest.approx(0.1660, abs=5e-5)
