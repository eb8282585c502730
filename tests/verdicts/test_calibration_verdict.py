"""Whether a promise is refuted: exact tests, Wilson's interval, and the correction over a table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runoff.errors import UsageError
from runoff.verdicts import Observation, calibration_verdicts
from runoff.verdicts.calibration_verdict import wilson


def share(hits, boards, *, kind="at most", level=0.05):
    mean = hits / boards
    return Observation(kind=kind, level=level, boards=boards, mean=mean, error=(mean * (1 - mean) / boards) ** 0.5)


def word(*observations):
    return [one.word for one in calibration_verdicts(observations)]


@given(st.integers(1, 3000), st.floats(0, 1))
def test_wilson_is_that_of_scipy(boards, part):
    hits = round(part * boards)
    expected = stats.binomtest(hits, boards).proportion_ci(method="wilson")
    assert wilson(hits / boards, boards) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize("kind, worse, better", [("at most", "greater", "less"), ("at least", "less", "greater")])
@pytest.mark.parametrize("hits", [0, 1, 30, 39, 50, 62, 75, 1000])
def test_one_promise_is_decided_by_the_binomial_test(kind, worse, better, hits):
    broken = stats.binomtest(hits, 1000, 0.05, alternative=worse).pvalue < 0.05
    careful = stats.binomtest(hits, 1000, 0.05, alternative=better).pvalue < 0.05
    expected = "off" if broken else "conservative" if careful else "not refuted"
    assert word(share(hits, 1000, kind=kind)) == [expected]


def test_many_promises_are_corrected():
    odd = share(65, 1000)  # one-sided p of 0.02
    assert word(odd) == ["off"]
    assert word(odd, *[share(50, 1000)] * 40)[0] == "not refuted"
    assert word(share(120, 1000), *[share(50, 1000)] * 40)[0] == "off"


def test_kept_promises_are_seldom_called_off():
    rng = np.random.default_rng(0)
    tables = [["off" in word(*[share(int(hits), 400) for hits in rng.binomial(400, 0.05, 50)])] for _ in range(200)]
    assert np.mean(tables) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


def test_a_bias_is_decided_by_its_error():
    fine = Observation(kind="zero", level=0.0, boards=100, mean=0.01, error=0.01)
    bad = Observation(kind="zero", level=0.0, boards=100, mean=-0.05, error=0.01)
    sure = Observation(kind="zero", level=0.0, boards=100, mean=0.1, error=0.0)
    assert word(fine, bad, sure) == ["not refuted", "off", "off"]
    low, high = calibration_verdicts([bad])[0].ci95
    assert (low, high) == pytest.approx((-0.0696, -0.0304), abs=1e-4)


def test_nothing_promised_and_nothing_seen():
    power = Observation(kind="none", level=None, boards=100, mean=0.7, error=0.05)
    unseen = Observation(kind="at most", level=0.05, boards=0, mean=0.0, error=0.0)
    first, second = calibration_verdicts([power, unseen])
    assert (first.word, first.off_by, second.word, second.ci95) == ("", None, "", (0.0, 1.0))
    assert calibration_verdicts([]) == ()


def test_bad_promises_are_refused():
    with pytest.raises(UsageError, match="kind='often' is unknown"):
        Observation(kind="often", level=0.05, boards=1, mean=0.0, error=0.0)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="expected a level"):
        Observation(kind="at most", level=None, boards=1, mean=0.0, error=0.0)
