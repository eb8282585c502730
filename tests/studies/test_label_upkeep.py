"""A year of submissions."""

import numpy as np
import pytest

from runoff.errors import UsageError
from studies.label_upkeep import UpkeepConfig, simulate_upkeep


def test_fewer_judgments_are_needed_and_labels_get_better():
    steps = simulate_upkeep(UpkeepConfig(queries=200, runs=12, error=0.0))
    assert steps[0].pairs > 150
    assert steps[-1].pairs < steps[0].pairs / 2
    worth = [step.worth for step in steps]
    assert worth == sorted(worth)
    assert steps == simulate_upkeep(UpkeepConfig(queries=200, runs=12, error=0.0))


def test_errors_make_labels_worse():
    clean, noisy = (simulate_upkeep(UpkeepConfig(queries=200, runs=10, error=error))[-1] for error in (0.0, 0.4))
    assert noisy.worth < clean.worth
    assert noisy.pairs > clean.pairs


@pytest.mark.parametrize("change", [{"error": 0.7}, {"runs": 0}])
def test_impossible_years(change):
    with pytest.raises(UsageError, match="expected"):
        UpkeepConfig(**change)


@pytest.mark.proof
@pytest.mark.parametrize("error, judgments", [(0.0, 1), (0.33, 1), (0.33, 5)])
def test_a_year(error, judgments):
    steps = simulate_upkeep(UpkeepConfig(error=error, judgments_per_pair=judgments))
    print(f"\nerror {error}, {judgments} judgments a pair: first run {steps[0].pairs} pairs")  # noqa: T201
    for start in range(0, 52, 13):
        part = steps[start : start + 13]
        pairs, replaced, worth = (
            np.mean([getattr(one, key) for one in part]) for key in ("pairs", "replaced", "run_worth")
        )
        line = f"runs {start + 1}-{start + 13}: {pairs:.0f} pairs, {replaced:.0f} replaced, {worth:.3f}"
        print(f"{line}, {part[-1].worth:.3f}")  # noqa: T201
    assert steps[-1].pairs < steps[0].pairs / 4
