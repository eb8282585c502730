"""The winner's interval: a slow version by numerical integration, laws, and coverage on boards with a known truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import binom, norm, t

from runoff.boards.winner_interval import unseen_interval, winner_interval
from runoff.errors import UsageError


def slow(means, covariance, queries, level):
    """The same from its definition: the density of the winner's mean, integrated, and a root finder.

    How far the winner's mean could have moved is found by moving it, with the others following.
    """
    best = int(np.argmax(means))
    error, spare = 1 - level, (1 - level) / 10
    sd = np.sqrt(covariance[best, best]) * t.ppf(1 - error / 2, queries - 1) / norm.ppf(1 - error / 2)
    draws = np.random.default_rng(7).multivariate_normal(np.zeros(len(means)), covariance, size=400_000)
    c = np.quantile(np.abs(draws / np.sqrt(np.diag(covariance))).max(axis=1), 1 - spare)
    slope = covariance[:, best] / covariance[best, best]
    steps = np.linspace(-12 * sd, 12 * sd, 200_001)
    wins = [step for step in steps if ((means + slope * step).argmax() == best)]
    low, high = means[best] + min(wins), means[best] + max(wins)

    def chance(truth):
        first, last = max(low, truth - c * sd), min(high, truth + c * sd)
        whole = quad(norm(truth, sd).pdf, first, last)[0]
        return quad(norm(truth, sd).pdf, first, means[best])[0] / whole

    inner = (error - spare) / (1 - spare)
    edge = (c - 1e-6) * sd
    return [
        brentq(lambda truth, share=share: chance(truth) - share, means[best] - edge, means[best] + edge)
        for share in (1 - inner / 2, inner / 2)
    ]


@pytest.mark.parametrize("lead", [0.002, 0.05, 0.3])
def test_equals_the_slow_version(lead):
    rng = np.random.default_rng(1)
    values = rng.normal(size=(60, 1)) + rng.normal(size=(60, 4)) * np.array([0.4, 0.6, 1.0, 0.5])
    covariance = np.cov(values, rowvar=False) / 60
    means = np.array([0.5 + lead, 0.5, 0.3, 0.48])
    found = winner_interval(means, covariance, queries=60)
    within = 0.08 * np.sqrt(covariance[0, 0])  # the quantile c is drawn, 20,000 times here
    assert found == pytest.approx(slow(means, covariance, 60, 0.95), abs=within)


def test_a_clear_winner_has_the_interval_of_student():
    values = np.random.default_rng(2).random((200, 3)) + np.array([5, 0, 0])
    low, high = winner_interval(values.mean(axis=0), np.cov(values, rowvar=False) / 200, queries=200)
    plain = t.interval(0.95, 199, values[:, 0].mean(), values[:, 0].std(ddof=1) / np.sqrt(200))
    assert (low, high) == pytest.approx(plain, abs=2e-3)


@given(st.integers(1, 6), st.integers(0, 30), st.floats(-3, 3))
def test_laws(runs, seed, shift):
    values = np.random.default_rng(seed).random((30, runs))
    means, covariance = values.mean(axis=0), np.atleast_2d(np.cov(values, rowvar=False)) / 30
    low, high = winner_interval(means, covariance, queries=30)
    assert low <= high
    moved = winner_interval(means + shift, covariance, queries=30)
    assert moved == pytest.approx((low + shift, high + shift), abs=1e-9)
    wider = winner_interval(means, covariance, queries=30, level=0.99)
    assert wider[0] <= low + 1e-9
    assert winner_interval(means, covariance, queries=30) == (low, high)


def test_a_run_that_never_varies_has_no_such_interval():
    with pytest.raises(UsageError, match="do not vary"):
        winner_interval(np.array([1.0, 0.2]), np.zeros((2, 2)), queries=10)


@pytest.mark.parametrize("queries", [5, 50, 500])
def test_a_share_that_could_be_unseen_is_unseen_in_one_of_forty_samples(queries):
    low, high = unseen_interval(1.0, 0.0, 1.0, queries=queries)
    assert high == 1.0
    assert binom.pmf(0, queries, 1.0 - low) == pytest.approx(0.025)  # none of the queries with a 0 comes up


def test_skewness_moves_one_end_out_as_the_t_statistic_says():
    """Against the 2.5% and 97.5% quantiles of t statistics of gamma samples, which are skewed to the right."""
    means, covariance = np.array([1.0, 0.0]), np.diag([0.01, 0.01])
    plain = winner_interval(means, covariance, queries=80)
    right = winner_interval(means, covariance, queries=80, skewness=2.0)
    left = winner_interval(means, covariance, queries=80, skewness=-2.0)
    assert right[0] == plain[0]
    assert left[1] == plain[1]
    assert right[1] - plain[1] == pytest.approx(plain[0] - left[0])
    samples = np.random.default_rng(0).gamma(1.0, size=(100_000, 80))  # skewness 2
    t_values = (samples.mean(axis=1) - 1.0) / (samples.std(axis=1, ddof=1) / np.sqrt(80))
    moved = -np.quantile(t_values, 0.025) - t.ppf(0.975, 79)  # standard errors
    assert (right[1] - plain[1]) / 0.1 == pytest.approx(moved, abs=0.12)


def held(step, boards, queries, rng, runs=10):
    """How often the interval holds the winner's true mean."""
    truth = -step * np.arange(runs)
    count = 0
    for _ in range(boards):
        values = rng.normal(size=(queries, 1)) + rng.normal(size=(queries, runs)) + truth
        means = values.mean(axis=0)
        low, high = winner_interval(means, np.cov(values, rowvar=False) / queries, queries=queries)
        count += low <= truth[means.argmax()] <= high
    return count / boards


@pytest.mark.parametrize("step", [0.0, 0.1])
def test_the_interval_holds_the_truth(step):
    assert held(step, 150, 60, np.random.default_rng(5)) >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 150)
