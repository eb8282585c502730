"""Counting: planted errors are found, kept promises are kept, and a seed is a seed."""

from typing import Any, ClassVar

import pytest

from runoff.errors import UsageError
from runoff.simulation.calibration import BY_NAME, Promise, Quantity, Settings, simulate_calibration
from tests.simulation.calibration.sources import ap_like, with_lists


class Planted(Quantity):
    """Errs in a known share of the boards."""

    name: ClassVar[str] = "planted"
    title: ClassVar[str] = "A planted error"
    shares: ClassVar[dict[str, float]] = {"kept": 0.05, "broken": 0.09, "careful": 0.01}

    def lines(self, settings):
        lines = [Promise(key=key, label=key, kind="at most", level=0.05) for key in self.shares]
        bias = Promise(key="bias", label="bias", kind="zero", level=0.0)
        return [*lines, bias, Promise(key="never", label="never", kind="at most", level=0.05)]

    def observe(self, source, queries, rng, settings):
        seen = {key: bool(rng.random() < share) for key, share in self.shares.items()}
        return {**seen, "bias": rng.normal(0.2, 1.0) if rng.random() < 0.5 else None}


def planted(boards, **options):
    return simulate_calibration(ap_like(), [Planted()], queries=[20], boards=boards, **options)


def test_planted_errors_are_found():
    found = {line.line.key: line for line in planted(3000).lines}
    words = {key: line.verdict.word for key, line in found.items()}
    assert words == {"kept": "not refuted", "broken": "off", "careful": "conservative", "bias": "off"}
    assert found["broken"].verdict.off_by == pytest.approx(0.04, abs=0.02)
    assert 1400 < found["bias"].boards < 1600
    assert [line.line.key for line in planted(3000).broken] == ["broken", "bias"]


def test_the_error_is_that_of_the_mean():
    line = planted(500).lines[0]
    assert line.error == pytest.approx((line.mean * (1 - line.mean) / 499) ** 0.5)
    low, high = line.verdict.ci95
    assert low < line.mean < high


def test_neither_threads_nor_other_quantities_nor_sizes_change_a_board():
    quantities = [BY_NAME["tests"], BY_NAME["margins"]]
    options: dict[str, Any] = {"boards": 12, "seed": 3, "settings": Settings(trials=40)}
    both = simulate_calibration(ap_like(), quantities, queries=[10, 20], threads=3, **options)
    alone = simulate_calibration(ap_like(), quantities[1:], queries=[20], **options)

    def counted(result):
        return {line.line.key: line.mean for line in result.lines if (line.quantity, line.queries) == ("margins", 20)}

    assert counted(both) == counted(alone)
    again = simulate_calibration(ap_like(), quantities, queries=[10, 20], **options)
    assert again.lines == both.lines


def test_progress_and_what_is_left_out():
    seen = []
    result = simulate_calibration(
        ap_like(), [BY_NAME["margins"], BY_NAME["verdicts"]], queries=[10], boards=25,
        progress=lambda done, total: seen.append((done, total)),
    )  # fmt: skip
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert result.left_out == ("verdicts",)
    assert simulate_calibration(with_lists(), [BY_NAME["verdicts"]], queries=[10], boards=2).left_out == ()


@pytest.mark.parametrize(
    "quantities, queries, boards, message",
    [
        ([], [10], 5, "nothing is to be calibrated"),
        ([BY_NAME["tests"]], [], 5, "boards of no queries"),
        ([BY_NAME["tests"]], [4], 5, "boards of 4 queries"),
        ([BY_NAME["tests"]], [10, 10], 5, "each once"),
        ([BY_NAME["tests"]], [10], 1, "boards=1 cannot be used"),
    ],
)
def test_bad_questions(quantities, queries, boards, message):
    with pytest.raises(UsageError, match=message):
        simulate_calibration(ap_like(), quantities, queries=queries, boards=boards)


def test_bad_settings():
    with pytest.raises(UsageError, match="trials=3"):
        Settings(trials=3)
