"""Recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.measures._base import BinaryMeasure, Scale, count_found, share
from runoff.tables.serps import Serps


@dataclass(frozen=True, kw_only=True, repr=False)
class R(BinaryMeasure):
    """The share of the relevant documents that the first k ranks hold; 0 where the qrels hold none.

        R@k = (relevant documents in ranks 1..k) / (relevant documents in the qrels)

    Some papers call `Success@k` "recall"; this is the recall of trec_eval.

    Buckley & Voorhees 2000, https://doi.org/10.1145/345508.345543

    >>> from runoff.measures._example import serps_of
    >>> (R @ 2).values(serps_of([1, 0, 1], judged=[[1, 4]])).tolist()
    [0.25]
    """

    name: ClassVar[str] = "R"
    aliases: ClassVar[tuple[str, ...]] = ("Recall",)
    description: ClassVar[str] = "The share of the relevant documents that the first k ranks hold."
    source: ClassVar[str] = "Buckley & Voorhees 2000, https://doi.org/10.1145/345508.345543"
    scale: ClassVar[Scale] = "ordinal"
    scale_reason: ClassVar[str] = "Its step, one over the number of relevant documents, differs from query to query."

    def _values(self, serps: Serps) -> NDArray[np.float64]:
        hits = count_found(serps.grades[:, : self.cutoff], serps.code_of(self.rel))
        return share(hits, serps.relevant(self.rel))
