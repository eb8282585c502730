"""Precision at a cutoff."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.measures._base import BinaryMeasure, CutoffUse, Scale, count_found
from runoff.tables.serps import Serps


@dataclass(frozen=True, kw_only=True, repr=False)
class P(BinaryMeasure):
    """The share of the first k ranks that hold a relevant document; a list shorter than k counts as filled up.

        P@k = (relevant documents in ranks 1..k) / k

    van Rijsbergen 1979, Information Retrieval, 2nd ed., chapter 7, ISBN 0-408-70929-4; at a cutoff as in
    Buckley & Voorhees 2000, https://doi.org/10.1145/345508.345543

    >>> from runoff.measures._example import serps_of
    >>> (P @ 4).values(serps_of([1, 0, 2, 0], [1])).tolist()
    [0.5, 0.25]
    """

    name: ClassVar[str] = "P"
    aliases: ClassVar[tuple[str, ...]] = ("Precision",)
    description: ClassVar[str] = "The share of the first k ranks that hold a relevant document."
    source: ClassVar[str] = "Buckley & Voorhees 2000, https://doi.org/10.1145/345508.345543"
    scale: ClassVar[Scale] = "interval"
    scale_reason: ClassVar[str] = "It counts documents in steps of 1/k, the same step for every query."
    cutoff_use: ClassVar[CutoffUse] = "required"

    def _values(self, serps: Serps) -> NDArray[np.float64]:
        ranks = self.cutoff or 1  # `values` has refused None
        return count_found(serps.grades[:, :ranks], serps.code_of(self.rel)) / ranks
