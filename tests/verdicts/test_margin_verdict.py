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


def test_words():
    assert verdict_on(around(0.0)).sentence == (
        "new is as good as old within 0.05 of mean AP: the difference is +0.0000, 90% interval -0.0166 to +0.0166 "
        "(p < 0.0001)."
    )
    assert "is worse than old by less than 0.05 of mean AP, if at all" in verdict_on(around(0.06)).sentence
    assert "not shown to be as good" in verdict_on(around(0.0, spread=1.0)).sentence
    assert "if at all, and is not shown to be no worse" in verdict_on(around(-0.06)).sentence


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
