"""What a document of each grade is worth, as a parameter of a measure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from runoff.errors import MeasureError


class Gains(Mapping[int, float]):
    """A frozen mapping from grade to gain that hashes, and prints as ir_measures reads it: `{0:0,1:0.5,2:1}`."""

    def __init__(self, pairs: Mapping[int, float]) -> None:
        self._pairs = dict(sorted(pairs.items()))

    def __getitem__(self, grade: int) -> float:
        return self._pairs[grade]

    def __iter__(self) -> Iterator[int]:
        return iter(self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)

    def __hash__(self) -> int:
        return hash(tuple(self._pairs.items()))

    def __repr__(self) -> str:
        return "{" + ",".join(f"{grade}:{gain!r}" for grade, gain in self._pairs.items()) + "}"

    def table(self, grades: NDArray[np.float64]) -> NDArray[np.float64]:
        """The gain of each grade; one that is not in the mapping, such as a fraction, is worth itself."""
        by_grade = {float(grade): gain for grade, gain in self._pairs.items()}
        return np.array([by_grade.get(grade, grade) for grade in grades.tolist()], dtype=np.float64)


def check_gains(measure: str, gains: object, *, highest: float = math.inf) -> Gains:
    """Refuse gains that are not a mapping from grades to numbers from 0 to `highest`."""
    example = f"write {measure}(gains={{1:0.5,2:1}})"
    if not isinstance(gains, Mapping) or not gains:
        raise MeasureError(f"{measure}: gains={gains!r} cannot be used; expected a gain for each grade; {example}")
    for grade, gain in gains.items():
        if not isinstance(grade, int) or isinstance(grade, bool) or grade < 0:
            raise MeasureError(f"{measure}: gains has the grade {grade!r}; expected a whole number from 0; {example}")
        if not isinstance(gain, (int, float)) or isinstance(gain, bool) or not 0 <= gain <= highest or gain == math.inf:
            limit = "0 or more" if highest == math.inf else f"from 0 to {highest:g}"
            raise MeasureError(f"{measure}: grade {grade} has the gain {gain!r}; expected a number {limit}; {example}")
    return Gains(gains)
