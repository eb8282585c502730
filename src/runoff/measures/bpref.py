"""Binary preference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.measures._base import BinaryMeasure, CutoffUse, Scale, begin_of_row, found, share, sum_by_row
from runoff.tables.serps import Serps


@dataclass(frozen=True, kw_only=True, repr=False)
class Bpref(BinaryMeasure):
    """How seldom judged non-relevant documents stand above relevant ones; unjudged documents play no part.

        bpref = (1 / R) sum over relevant documents found of 1 - min(n, R) / min(N, R)

    R and N count the relevant and the judged non-relevant documents of the qrels, n the judged non-relevant ones
    ranked above the document; with n = 0 the term is 1. This is the form that trec_eval computes.

    Buckley & Voorhees 2004, https://doi.org/10.1145/1008992.1009000

    >>> from runoff.measures._example import serps_of
    >>> Bpref().values(serps_of([1, -1, 0, 1], judged=[[3, 2]])).tolist()  # (1 + (1 - 1/2)) / 2
    [0.75]
    """

    name: ClassVar[str] = "Bpref"
    aliases: ClassVar[tuple[str, ...]] = ("BPref", "bpref")
    description: ClassVar[str] = "How seldom judged non-relevant documents stand above relevant ones."
    source: ClassVar[str] = "Buckley & Voorhees 2004, https://doi.org/10.1145/1008992.1009000"
    scale: ClassVar[Scale] = "ordinal"
    scale_reason: ClassVar[str] = (
        "Its step depends on how many documents of each query are judged, and differs from query to query."
    )
    cutoff_use: ClassVar[CutoffUse] = "none"

    def _values(self, serps: Serps) -> NDArray[np.float64]:
        relevant = serps.relevant(self.rel)
        lowest = serps.code_of(self.rel)
        nonrelevant = serps.judged[:, :lowest].sum(axis=1)
        rows, ranks = found(serps.grades, 0)
        is_relevant = serps.grades[rows, ranks - 1] >= lowest
        # Non-relevant documents so far: a running count over all queries, less its value where the query begins.
        running = np.concatenate(([0], np.cumsum(~is_relevant)))
        above = running[1:] - running[begin_of_row(rows)]
        rows, above = rows[is_relevant], above[is_relevant]
        most = np.minimum(nonrelevant, relevant)[rows]
        terms = 1.0 - share(np.minimum(above, relevant[rows]), most)
        return share(sum_by_row(rows, terms, serps), relevant)
