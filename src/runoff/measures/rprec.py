"""R-precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.measures._base import BinaryMeasure, CutoffUse, Scale, found, share, sum_by_row
from runoff.tables.serps import Serps


@dataclass(frozen=True, kw_only=True, repr=False)
class Rprec(BinaryMeasure):
    """The precision at rank R, where R is the number of relevant documents of the query; 0 where R is 0.

        Rprec = (relevant documents in ranks 1..R) / R

    Buckley & Voorhees 2000, https://doi.org/10.1145/345508.345543

    >>> from runoff.measures._example import serps_of
    >>> Rprec().values(serps_of([1, 0, 1, 1], judged=[[1, 4]])).tolist()
    [0.75]
    """

    name: ClassVar[str] = "Rprec"
    aliases: ClassVar[tuple[str, ...]] = ("RPrec",)
    description: ClassVar[str] = "The precision at rank R, the number of relevant documents of the query."
    source: ClassVar[str] = "Buckley & Voorhees 2000, https://doi.org/10.1145/345508.345543"
    scale: ClassVar[Scale] = "ordinal"
    scale_reason: ClassVar[str] = "Its step, one over the number of relevant documents, differs from query to query."
    cutoff_use: ClassVar[CutoffUse] = "none"

    def _values(self, serps: Serps) -> NDArray[np.float64]:
        relevant = serps.relevant(self.rel)
        rows, ranks = found(serps.grades, serps.code_of(self.rel))
        in_time = (ranks <= relevant[rows]).astype(np.float64)
        return share(sum_by_row(rows, in_time, serps), relevant)
