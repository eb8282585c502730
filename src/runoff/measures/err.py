"""Expected reciprocal rank."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.measures._base import Measure, Scale, check_whole_number, found, place_in_row, sum_by_row
from runoff.rows import HIGHEST_GRADE
from runoff.tables.serps import Serps


@dataclass(frozen=True, kw_only=True, repr=False)
class ERR(Measure):
    """The expected reciprocal of the rank at which a reader stops who is satisfied more often by higher grades.

        ERR@k = sum over ranks r <= k of (1 / r) s(r) product over ranks i < r of (1 - s(i))
        s(r)  = (2^g - 1) / 2^max_grade,  g = the grade at rank r

    The highest grade is 4 as in TREC's gdeval; `max_grade` changes it.

    Chapelle et al. 2009, https://doi.org/10.1145/1645953.1646033

    >>> from runoff.measures._example import serps_of
    >>> (ERR(max_grade=1) @ 10).values(serps_of([1, 0, 1])).tolist()  # 1/2 + 1/3 * 1/2 * 1/2
    [0.5833333333333334]
    """

    name: ClassVar[str] = "ERR"
    description: ClassVar[str] = (
        "The expected reciprocal rank at which a reader stops, higher grades stopping more often."
    )
    source: ClassVar[str] = "Chapelle et al. 2009, https://doi.org/10.1145/1645953.1646033"
    scale: ClassVar[Scale] = "ordinal"
    scale_reason: ClassVar[str] = "Its attainable values are not equally spaced."

    max_grade: int = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole_number(self.name, "max_grade", self.max_grade, high=HIGHEST_GRADE)

    def _values(self, serps: Serps) -> NDArray[np.float64]:
        self._check_grades(serps)
        top = serps.grades[:, : self.cutoff]
        rows, ranks = found(top, 1)
        stops = (np.exp2(serps.gain_values()[top[rows, ranks - 1]]) - 1.0) / 2.0**self.max_grade
        # One row per query and one column per relevant document found: few columns, so few products.
        places = place_in_row(rows)
        width = int(places.max(initial=-1)) + 1
        goes_on = np.ones((len(serps.query_ids), width + 1))
        goes_on[rows, places + 1] = 1.0 - stops
        reached = np.cumprod(goes_on, axis=1)[rows, places]
        return sum_by_row(rows, reached * stops / ranks, serps)

    def _check_grades(self, serps: Serps) -> None:
        grades = serps.gain_values()[serps.judged.any(axis=0)]
        highest = float(grades.max(initial=0.0))
        if highest > self.max_grade:
            raise UsageError(
                f"{self}: the qrels hold grade {highest:g}; expected none above max_grade, which is {self.max_grade}; "
                f"write ERR(max_grade={math.ceil(highest)})"
            )
