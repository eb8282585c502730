"""Reciprocal rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.measures._base import BinaryMeasure, Scale, first_rank
from runoff.tables.serps import Serps


@dataclass(frozen=True, kw_only=True, repr=False)
class RR(BinaryMeasure):
    """One over the rank of the first relevant document; 0 where there is none.

        RR@k = 1 / r,  r = the rank of the first document of grade `rel` or more, if r <= k

    Kantor & Voorhees 2000, https://doi.org/10.1023/A:1009902609570

    >>> from runoff.measures._example import serps_of
    >>> (RR @ 10).values(serps_of([0, 0, 0, 1], [2, 1], [0, 0])).tolist()
    [0.25, 1.0, 0.0]
    """

    name: ClassVar[str] = "RR"
    aliases: ClassVar[tuple[str, ...]] = ("MRR",)
    description: ClassVar[str] = "One over the rank of the first relevant document."
    source: ClassVar[str] = "Kantor & Voorhees 2000, https://doi.org/10.1023/A:1009902609570"
    scale: ClassVar[Scale] = "ordinal"
    scale_reason: ClassVar[str] = "Its values 1, 1/2, 1/3, ... are not equally spaced."

    def _values(self, serps: Serps) -> NDArray[np.float64]:
        return np.nan_to_num(1.0 / first_rank(serps.grades[:, : self.cutoff], serps.code_of(self.rel)), nan=0.0)
