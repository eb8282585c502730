"""Average precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.measures._base import BinaryMeasure, Scale, found, place_in_row, share, sum_by_row
from runoff.tables.serps import Serps


@dataclass(frozen=True, kw_only=True, repr=False)
class AP(BinaryMeasure):
    """The precisions at the ranks of the relevant documents found, summed, over the number of relevant documents.

        AP@k = (1 / R) sum over relevant ranks r <= k of (relevant documents in ranks 1..r) / r

    R counts the relevant documents in the qrels, also beyond k, as trec_eval's `map_cut` does.

    Buckley & Voorhees 2000, https://doi.org/10.1145/345508.345543

    >>> from runoff.measures._example import serps_of
    >>> (AP @ 10).values(serps_of([1, 0, 0, 1], judged=[[2, 3]])).tolist()  # (1/1 + 2/4) / 3
    [0.5]
    """

    name: ClassVar[str] = "AP"
    aliases: ClassVar[tuple[str, ...]] = ("MAP",)
    description: ClassVar[str] = "The mean, over all relevant documents, of the precision at each one's rank."
    source: ClassVar[str] = "Buckley & Voorhees 2000, https://doi.org/10.1145/345508.345543"
    scale: ClassVar[Scale] = "ordinal"
    scale_reason: ClassVar[str] = (
        "Its attainable values are not equally spaced and depend on the number of relevant documents."
    )

    def _values(self, serps: Serps) -> NDArray[np.float64]:
        rows, ranks = found(serps.grades[:, : self.cutoff], serps.code_of(self.rel))
        precision = (place_in_row(rows) + 1) / ranks
        return share(sum_by_row(rows, precision, serps), serps.relevant(self.rel))
