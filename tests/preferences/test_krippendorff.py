"""Krippendorff's alpha: published examples, and pair by pair."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.preferences import nominal_alpha

# Krippendorff 2011, Computing Krippendorff's alpha-reliability, sections A and C: observers in rows, units in columns.
BINARY = ["0100000010", "1110010000"]
GAPS = ["1 2 3 3 2 1 4 1 2 . . .", "1 2 3 3 2 2 4 1 2 5 . 3", ". 3 3 3 2 3 4 2 2 5 1 .", "1 2 3 3 2 4 4 1 2 5 1 ."]


def counted(observers, values):
    units = list(zip(*observers, strict=True))
    return [[unit.count(value) for value in values] for unit in units]


def slow_alpha(counts):
    """Over all pairs of values within units, and all pairs of values at all."""
    units = [[value for value, count in enumerate(row) for _ in range(count)] for row in counts]
    units = [unit for unit in units if len(unit) > 1]
    pooled = [value for unit in units for value in unit]
    observed = sum(
        sum(one != other for one, other in itertools.permutations(unit, 2)) / (len(unit) - 1) for unit in units
    ) / len(pooled)
    expected = sum(one != other for one, other in itertools.permutations(pooled, 2)) / len(pooled) / (len(pooled) - 1)
    return 1 - observed / expected


@pytest.mark.parametrize(
    "observers, values, alpha", [(BINARY, "01", 0.095), ([row.split() for row in GAPS], "12345", 0.743)]
)
def test_published_examples(observers, values, alpha):
    assert nominal_alpha(counted(observers, values)) == pytest.approx(alpha, abs=0.0005)


tables = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=12)


@given(tables)
def test_equals_the_slow_alpha(counts):
    several = [row for row in counts if sum(row) > 1]
    if sum(1 for column in zip(*several, strict=True) if sum(column)) < 2:
        assert math.isnan(nominal_alpha(counts))
    else:
        assert nominal_alpha(counts) == pytest.approx(slow_alpha(counts))


@given(tables, st.lists(st.booleans(), min_size=12, max_size=12))
def test_symmetric_values_can_be_exchanged_in_any_unit(counts, swaps):
    swapped = [
        [two, one, three] if swap else [one, two, three] for (one, two, three), swap in zip(counts, swaps, strict=False)
    ]
    np.testing.assert_allclose(nominal_alpha(counts, symmetric=(0, 1)), nominal_alpha(swapped, symmetric=(0, 1)))


def test_extremes():
    assert nominal_alpha([[3, 0], [0, 3]]) == 1.0
    assert nominal_alpha([[1, 1]] * 50) == pytest.approx(-0.98, abs=0.005)
    assert math.isnan(nominal_alpha([[1, 0], [0, 1]]))


def test_impossible_counts():
    with pytest.raises(UsageError, match="expected units x values"):
        nominal_alpha([1, 2])
