"""Grades as numbers and as codes: whole grades are their own codes, fractions are places in a table of values."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError

Values: TypeAlias = tuple[float, ...]
"""Ascending grades above 0: the first has code 1, the second code 2. All grades of 0 and below have code 0."""
MOST_VALUES: Final = 127
"""Codes are int8."""


def values_of(grades: Iterable[float]) -> Values | None:
    """The distinct grades above 0, ascending; None if all are whole numbers, which need no table.

    >>> values_of([0, 2, 0.5, 1.8, 2]), values_of([0, 2, 1])
    ((0.5, 1.8, 2.0), None)
    """
    distinct = np.unique(np.fromiter((grade for grade in grades if grade > 0), dtype=np.float64))
    if (distinct == np.round(distinct)).all():
        return None
    if len(distinct) > MOST_VALUES:
        raise UsageError(
            f"{len(distinct):,} different grades, some of them fractions; expected at most {MOST_VALUES}; round the "
            "grades, for example to one decimal"
        )
    return tuple(distinct.tolist())


def codes_of(grades: NDArray[np.float64], values: Values | None) -> NDArray[np.int8]:
    """The codes of grades from 0 up that are all in the table.

    >>> codes_of(np.array([1.8, 0, 0.5]), (0.5, 1.8)).tolist(), codes_of(np.array([2.0, 0]), None).tolist()
    ([2, 0, 1], [2, 0])
    """
    if values is None:
        return grades.astype(np.int8)
    return np.searchsorted(np.array(values), grades, side="right").astype(np.int8)


def recoding(old: Values | None, codes: int, values: Values) -> NDArray[np.int8]:
    """The codes in a table of codes 0, 1, ..., `codes` - 1 that were made with another one, or with none.

    >>> recoding((0.5, 1.8), 3, (0.5, 1.0, 1.8)).tolist(), recoding(None, 2, (0.5, 1.0)).tolist()
    ([0, 1, 3], [0, 2])
    """
    return codes_of(numbers_of(codes, old), values)


def code_of(level: float, values: Values | None) -> int:
    """The lowest code of a grade that reaches a relevance level; one beyond the last code if no grade does.

    >>> code_of(1, (0.5, 1.8)), code_of(2, (0.5, 1.8)), code_of(2, None)
    (2, 3, 2)
    """
    return math.ceil(level) if values is None else bisect_left(values, level) + 1


def numbers_of(codes: int, values: Values | None) -> NDArray[np.float64]:
    """The grades of codes 0, 1, ..., `codes` - 1.

    >>> numbers_of(3, (0.5, 1.8)).tolist(), numbers_of(3, None).tolist()
    ([0.0, 0.5, 1.8], [0.0, 1.0, 2.0])
    """
    return np.arange(codes, dtype=np.float64) if values is None else np.array((0.0, *values))[:codes]


def as_given(grade: float) -> float:
    """A grade as one writes it: whole numbers without a point.

    >>> as_given(2.0), as_given(0.1667)
    (2, 0.1667)
    """
    return int(grade) if grade == int(grade) else grade
