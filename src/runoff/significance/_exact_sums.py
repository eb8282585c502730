"""Sums that are exact in whatever order they are added, so that equal means are seen as equal."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray


def on_grid(values: NDArray[np.float64], terms: int) -> tuple[NDArray[np.float64], int]:
    """Values as whole numbers of a unit 2^-exponent so fine that sums of `terms` of them stay below 2^52.

    Returns the whole numbers, and the exponent. Each is off by half a unit at most, so two sums of equal value can
    differ by `terms` units: comparisons allow for that, and float noise never hides a tie.

    >>> whole, exponent = on_grid(np.array([1 / 3, 1 / 6, -1 / 2]), 3)
    >>> abs(float(whole.sum())) <= 3, exponent
    (True, 50)
    """
    exponent = grid_exponent(float(np.abs(values).max()), terms)
    return to_grid(values, exponent), exponent


def grid_exponent(largest: float, terms: int) -> int:
    """The exponent of the unit for values of at most that size."""
    return 52 - terms.bit_length() - math.frexp(largest)[1]


def to_grid(values: NDArray[np.float64], exponent: int) -> NDArray[np.float64]:
    """Values as whole numbers of the unit 2^-exponent."""
    # Two powers of two, since one alone may be beyond float64; nothing is rounded before rint, and ldexp is slower.
    whole = values * math.ldexp(1.0, exponent // 2)
    whole *= math.ldexp(1.0, exponent - exponent // 2)
    return np.rint(whole, out=whole)
