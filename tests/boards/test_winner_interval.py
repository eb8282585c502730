"""The winner's interval: a slow version by numerical integration, laws, and coverage on boards with a known truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import norm, t

from runoff.boards.winner_interval import winner_interval


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


def test_a_run_that_never_varies_has_its_mean():
    assert winner_interval(np.array([1.0, 0.2]), np.zeros((2, 2)), queries=10) == (1.0, 1.0)


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
