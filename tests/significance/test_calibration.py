"""Under no difference, p is below 0.05 about as often as it should be; intervals hold the truth 95 times in 100."""

from math import erf, sqrt

import numpy as np
import pytest

from runoff.files import read_score_matrix
from runoff.significance import (
    SIGNIFICANCE_TESTS,
    rank_sum_all_pairs,
    sign_all_pairs,
    signed_rank_all_pairs,
    t_all_pairs,
)
from tests.significance.cases import scipy_result

each_test = pytest.mark.parametrize("test", SIGNIFICANCE_TESTS, ids=lambda test: test.name)
KERNELS = (t_all_pairs, signed_rank_all_pairs, rank_sum_all_pairs, sign_all_pairs)

# The sign test cannot reach 0.05 with 30 queries (its size is 0.043), and the bootstrap is a little liberal.
SIZE = {"sign": (0.043, 0.043), "bootstrap": (0.05, 0.07)}


def alarm_rate(test, sets, n, seed):
    rng = np.random.default_rng(seed)
    pairs = (rng.normal(size=(2, n)) for _ in range(sets))
    return sum(test.compare(*pair, trials=199, seed=k).p <= 0.05 for k, pair in enumerate(pairs)) / sets


@each_test
def test_false_alarms(test):
    low, high = SIZE.get(test.name, (0.05, 0.05))
    error = 4 * sqrt(0.05 * 0.95 / 2000)
    assert low - error <= alarm_rate(test, 2000, 30, seed=11) <= high + error


@pytest.mark.proof
@each_test
def test_false_alarms_at_length(test):
    low, high = SIZE.get(test.name, (0.05, 0.05))
    error = 4 * sqrt(0.05 * 0.95 / 20_000) + 0.001  # the asymptotic tests are not exact to the third digit
    assert low - error <= alarm_rate(test, 20_000, 30, seed=12) <= high + error


def normal_below(z):
    return (1 + erf(z / sqrt(2))) / 2


@pytest.mark.proof
@each_test
@pytest.mark.parametrize("shift", [0.0, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("n", [10, 30, 100])
def test_intervals_hold_the_truth(test, shift, n):
    # Champion and challenger are independent normals, one shifted, so every effect is known in closed form.
    wins = normal_below(shift / sqrt(2))
    walsh = ((n - 1) * (2 * normal_below(shift) - 1) + 2 * (2 * wins - 1)) / (n + 1)
    truth = {"signed_rank": walsh, "rank_sum": wins, "sign": wins}.get(test.name, shift)
    rng = np.random.default_rng(n)
    held = 0
    for _ in range(1000):
        low, high = test.compare(rng.normal(size=n), rng.normal(size=n) + shift, trials=399).effect_ci95
        held += low <= truth <= high
    least = 0.89 if test.name == "bootstrap" and n == 10 else 0.95 if test.name == "sign" else 0.94
    assert held / 1000 >= least - 4 * sqrt(0.05 * 0.95 / 1000)


@pytest.mark.proof
@pytest.mark.parametrize("name", ["adhoc8_rr.csv", "adhoc8_ap.csv", "web2011_ndcg20.csv"])
def test_real_boards_equal_scipy(shared_data, name):
    scores = read_score_matrix(shared_data / "topic-scores" / name).values[:, :30]
    results = [kernel(scores) for kernel in KERNELS]
    for i in range(scores.shape[1]):
        for j in range(i):
            for result in results:
                expected = scipy_result(result.name, scores[:, i], scores[:, j])
                if expected is not None:
                    both = (result.statistic[i, j], result.p[i, j])
                    np.testing.assert_allclose(both, expected, rtol=1e-9, atol=1e-12)
