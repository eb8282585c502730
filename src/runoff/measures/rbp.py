"""Rank-biased precision, with its residual."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.errors import MeasureError, UsageError
from runoff.measures._base import BinaryMeasure, Scale, check_gains, found, sum_by_row
from runoff.tables.serps import Serps, as_given


@dataclass(frozen=True, kw_only=True, repr=False)
class RBP(BinaryMeasure):
    """The rate at which a reader gains relevance who goes on from each rank to the next with probability p.

        RBP@k = (1 - p) sum over ranks r <= k of g(r) p^(r - 1)

    g(r) is 1 where the grade is `rel` or more, else 0; with `gains` it is the gain of the grade, from 0 to 1.

    Moffat & Zobel 2008, https://doi.org/10.1145/1416950.1416952

    >>> from runoff.measures._example import serps_of
    >>> serps = serps_of([1, -1, 0, 1])
    >>> (RBP(p=0.5) @ 10).values(serps).tolist(), (RBP(p=0.5) @ 10).residual(serps).tolist()
    ([0.5625], [0.3125])
    """

    name: ClassVar[str] = "RBP"
    description: ClassVar[str] = (
        "The rate at which a reader gains relevance who goes on to the next rank with probability p."
    )
    source: ClassVar[str] = "Moffat & Zobel 2008, https://doi.org/10.1145/1416950.1416952"
    scale_reason: ClassVar[str] = (
        "Its attainable values are not equally spaced, except binary at a cutoff with p = 1/2."
    )

    p: float = 0.8
    gains: Mapping[int, float] | None = None

    @property
    def scale(self) -> Scale:
        """Interval for binary RBP@k with p = 1/2, whose values are all multiples of 2^-k; else ordinal."""
        return "interval" if self.p == 0.5 and self.gains is None and self.cutoff is not None else "ordinal"

    def residual(self, serps: Serps) -> NDArray[np.float64]:
        """Per query, how much higher the value could be if all that is not known to be judged were relevant.

        The weight of the unjudged ranks, plus p^n for what follows the n ranks that were seen: all weight, 1, less the
        weight of the judged ranks.
        """
        self._check_depth(serps)
        rows, ranks = found(serps.grades[:, : self.cutoff], 0)
        return np.maximum(1.0 - sum_by_row(rows, self._weights(ranks), serps), 0.0)

    def _values(self, serps: Serps) -> NDArray[np.float64]:
        top = serps.grades[:, : self.cutoff]
        if self.gains is None:
            rows, ranks = found(top, serps.code_of(self.rel))
            return sum_by_row(rows, self._weights(ranks), serps)
        rows, ranks = found(top, 0)
        return sum_by_row(rows, self._gain_table(serps)[top[rows, ranks - 1]] * self._weights(ranks), serps)

    def _weights(self, ranks: NDArray[np.int64]) -> NDArray[np.float64]:
        by_rank: NDArray[np.float64] = (1.0 - self.p) * np.power(self.p, np.arange(ranks.max(initial=0)))
        return by_rank[ranks - 1]

    def _gain_table(self, serps: Serps) -> NDArray[np.float64]:
        gains = {float(grade): gain for grade, gain in (self.gains or {}).items()}
        grades = [as_given(grade) for grade in serps.gain_values().tolist()]
        used = [grade for code, grade in enumerate(grades) if code and serps.judged[:, code].any()]
        unknown = [grade for grade in used if grade not in gains]
        odd = [grade for grade in unknown if not isinstance(grade, int)]
        if odd:
            raise UsageError(
                f"{self}: the qrels hold grade {odd[0]}, a fraction, and gains are for whole grades; expected whole "
                "grades; leave gains out and use rel, or round the grades"
            )
        if unknown:
            raise UsageError(
                f"{self}: the qrels hold grade {unknown[0]}, which has no gain; expected a gain for each of the grades "
                f"{', '.join(map(str, used))}; add {unknown[0]}: followed by its gain, from 0 to 1"
            )
        return np.array([gains.get(grade, 0.0) for grade in grades], dtype=np.float64)

    def __post_init__(self) -> None:
        super().__post_init__()
        p: object = self.p
        if not isinstance(p, float) or not 0.0 < p < 1.0:
            raise MeasureError(f"RBP: p={p!r} cannot be used; expected a number between 0 and 1; write RBP(p=0.8)")
        if self.gains is not None:
            object.__setattr__(self, "gains", check_gains(self.name, self.gains, highest=1.0))
            if self.rel != 1:
                raise MeasureError("RBP: rel and gains are both given; expected one of them; leave one out")
