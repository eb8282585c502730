"""What the tests of this folder share: random paired scores, and scipy as a silent reference."""

import warnings

import numpy as np
from hypothesis import strategies as st
from scipy import stats

RECIPROCALS = [0.0, 1.0, 1 / 2, 1 / 3, 1 / 4, 1 / 5, 1 / 6]
DYADIC = [place / 64 for place in range(65)]


@st.composite
def paired_scores(draw, elements=None, max_size=60):
    """Scores of two runs for the same queries: reciprocal ranks with many ties, or anything from 0 to 1."""
    choices = [st.sampled_from(RECIPROCALS), st.integers(0, 10**6).map(lambda number: number / 10**6)]
    chosen = draw(st.sampled_from(choices)) if elements is None else elements
    pairs = draw(st.lists(st.tuples(chosen, chosen), min_size=1, max_size=max_size))
    champion, challenger = np.array(pairs, dtype=np.float64).T
    return champion, challenger


dyadic_scores = paired_scores(elements=st.sampled_from(DYADIC))


def board(n, runs, *, seed=0, deep=100):
    """Reciprocal ranks, queries x runs, of runs that agree on which queries are hard."""
    rng = np.random.default_rng(seed)
    ranks = np.maximum(1, rng.geometric(0.08, size=(n, 1)) + rng.integers(-6, 7, size=(n, runs)))
    return np.where((ranks <= deep) & (rng.random((n, runs)) > 0.15), 1.0 / ranks, 0.0)


def scipy_result(name, champion, challenger):
    """Statistic and p of the test of this name, from scipy.stats; None where scipy has no answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        both = SCIPY[name](champion, challenger)
    return None if both is None or np.isnan(both).any() else both


def _student(champion, challenger):
    result = stats.ttest_rel(challenger, champion)
    return result.statistic, result.pvalue


def whole(champion, challenger):
    """Differences as whole numbers of 1e-10 of the largest score, so that ties are those of the measure."""
    champion, challenger = np.asarray(champion, dtype=np.float64), np.asarray(challenger, dtype=np.float64)
    return np.rint((challenger - champion) / (1e-10 * max(np.abs(champion).max(), np.abs(challenger).max(), 1e-300)))


def _signed_rank(champion, challenger):
    differences = whole(champion, challenger)
    if not differences.any():
        return None  # an error, NaN or 1, depending on how many there are
    result = stats.wilcoxon(differences)
    return result.statistic, result.pvalue


def _rank_sum(champion, challenger):
    result = stats.mannwhitneyu(challenger, champion, method="asymptotic")
    return result.statistic, result.pvalue


def _sign(champion, challenger):
    wins, losses = int((whole(champion, challenger) > 0).sum()), int((whole(champion, challenger) < 0).sum())
    return (float(wins), stats.binomtest(wins, wins + losses).pvalue) if wins + losses else None


SCIPY = {"t": _student, "signed_rank": _signed_rank, "rank_sum": _rank_sum, "sign": _sign}
