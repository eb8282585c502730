"""The verdict against a margin: scipy's one-sided tests, words, and its error by simulation."""

import numpy as np
import pytest
from scipy import stats

from runoff.significance import equivalence
from runoff.verdicts import Policy, margin_verdicts


def verdict_on(difference, margin=0.05, policy=None, copies=1):
    found = equivalence(np.zeros(len(difference)), difference, margin=margin)
    return margin_verdicts([found] * copies, [("old", "new")] * copies, "AP", policy or Policy())[0]


def around(mean, spread=0.1, n=100):
    values = np.linspace(-1, 1, n)
    return mean + spread * values / values.std(ddof=1)


@pytest.mark.parametrize(
    "mean, kind", [(0.0, "equivalent"), (0.06, "no worse"), (-0.06, "no better"), (0.2, "no worse")]
)
def test_kinds_and_scipy(mean, kind):
    values = around(mean)
    verdict = verdict_on(values)
    low = stats.ttest_1samp(values, -0.05, alternative="greater").pvalue
    high = stats.ttest_1samp(values, 0.05, alternative="less").pvalue
    assert (verdict.no_worse_p, verdict.no_better_p) == pytest.approx((low, high))
    assert verdict.kind == kind
    assert verdict.no_worse == (kind in ("equivalent", "no worse"))
    assert verdict.to_dict()["p"] == pytest.approx(max(low, high))


def power_at(errors, level, n=100):
    """How often a one-sided t test of n queries is significant where the truth is so many standard errors away."""
    return stats.nct.sf(stats.t.isf(level, n - 1), n - 1, errors)


def test_the_margin_that_could_have_been_shown():
    values = around(0.0, spread=0.4)
    verdict = verdict_on(values)
    assert verdict.kind == "not shown"
    assert power_at(verdict.seen_margin / 0.04, 0.05) == pytest.approx(0.8)
    assert verdict.sentence == (
        "new is not shown to be as good as old within 0.05 of mean AP, and may be worse by more: the difference is "
        f"+0.0000, 90% interval -0.0664 to +0.0664 (no worse: p = {verdict.no_worse_p:.4f}). With 100 queries, a "
        "run that is truly as good is shown to be no worse with 80% power only for margins of "
        f"{verdict.seen_margin:.4f} or more."
    )
    assert verdict.to_dict()["seen_margin"] == verdict.seen_margin
    many = verdict_on(values, copies=5)
    assert power_at(many.seen_margin / 0.04, 0.01) == pytest.approx(0.8)
    assert verdict_on(values, policy=Policy(correction="none"), copies=5).seen_margin == verdict.seen_margin
    assert verdict_on(np.zeros(9)).seen_margin is None


def test_no_worse_is_found_with_that_power():
    """A run that is truly as good is shown to be no worse by the seen margin in 80% of the draws."""
    rng = np.random.default_rng(7)
    draws = rng.normal(0.0, 0.3, (600, 100))
    margin = (stats.norm.ppf(0.95) + stats.norm.ppf(0.8)) * 0.03
    p = [equivalence(np.zeros(100), one, margin=margin).no_worse_p for one in draws]
    assert np.mean(np.less(p, 0.05)) == pytest.approx(0.8, abs=0.05)


def test_words():
    assert verdict_on(around(0.0)).sentence == (
        "new is as good as old within 0.05 of mean AP: the difference is +0.0000, 90% interval -0.0166 to +0.0166 "
        "(p < 0.0001)."
    )
    assert "is not worse than old by more than 0.05 of mean AP" in verdict_on(around(0.06)).sentence
    assert "not shown to be as good" in verdict_on(around(0.0, spread=1.0)).sentence
    assert (
        "is not better than old by more than 0.05 of mean AP, and is not shown to be no worse"
        in verdict_on(around(-0.06)).sentence
    )


def test_several_challengers_are_corrected():
    values = around(-0.033)
    assert verdict_on(values).no_worse
    assert verdict_on(values, policy=Policy(correction="none"), copies=3).no_worse
    assert not verdict_on(values, policy=Policy(correction="bonferroni"), copies=3).no_worse


def test_a_run_that_is_worse_by_the_margin_rarely_passes():
    rng = np.random.default_rng(0)
    passed = np.mean([verdict_on(rng.normal(-0.05, 0.2, 80)).no_worse for _ in range(1500)])
    assert passed == pytest.approx(0.05, abs=0.02)
    good = np.mean([verdict_on(rng.normal(0.0, 0.2, 200)).no_worse for _ in range(300)])
    assert good > 0.9
