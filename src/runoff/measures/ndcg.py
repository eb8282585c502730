"""Normalised discounted cumulative gain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from runoff.errors import MeasureError
from runoff.measures._base import Gains, Measure, Scale, check_gains, found, place_in_row, share, sum_by_row
from runoff.tables.serps import Serps


@dataclass(frozen=True, kw_only=True, repr=False)
class nDCG(Measure):  # noqa: N801  # spelled as ir_measures and its papers spell it
    """The gain of the list, discounted by the logarithm of the rank, over the same of the best possible list.

        nDCG@k = DCG@k / ideal DCG@k,  DCG@k = sum over ranks r <= k of gain(r) / log2(r + 1)

    The gain is the grade (dcg='log2', as trec_eval), 2^grade - 1 (dcg='exp-log2', as gdeval), or what `gains` says; a
    grade that `gains` leaves out is worth itself. The ideal list holds the judged documents by falling gain, cut at k.

    Järvelin & Kekäläinen 2002, https://doi.org/10.1145/582415.582418; exp-log2: Burges et al. 2005,
    https://doi.org/10.1145/1102351.1102363

    >>> from runoff.measures._example import serps_of
    >>> serps = serps_of([0, 1], [2, 1, 0])
    >>> [round(value, 4) for value in (nDCG @ 10).values(serps).tolist()]  # 1 / log2(3)
    [0.6309, 1.0]
    """

    name: ClassVar[str] = "nDCG"
    aliases: ClassVar[tuple[str, ...]] = ("NDCG",)
    description: ClassVar[str] = (
        "The gain of the list, discounted by the logarithm of the rank, over that of the best possible list."
    )
    source: ClassVar[str] = "Järvelin & Kekäläinen 2002, https://doi.org/10.1145/582415.582418"
    scale: ClassVar[Scale] = "ordinal"
    scale_reason: ClassVar[str] = (
        "Its attainable values are not equally spaced and are scaled by another ideal for each query."
    )

    dcg: Literal["log2", "exp-log2"] = "log2"
    gains: Mapping[int, float] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.dcg not in ("log2", "exp-log2"):
            raise MeasureError(f"nDCG: dcg={self.dcg!r} is unknown; expected 'log2' or 'exp-log2'; write one of these")
        if self.gains is not None:
            object.__setattr__(self, "gains", check_gains(self.name, self.gains))
            if self.dcg != "log2":
                raise MeasureError(
                    f"nDCG: dcg={self.dcg!r} and gains both set the gain of a grade; expected one of them; "
                    "leave one out, or write 2^grade - 1 into gains"
                )

    def _values(self, serps: Serps) -> NDArray[np.float64]:
        gains = self._gain_table(serps.gain_values())
        lowest = int(np.argmax(gains > 0.0)) if (gains > 0.0).any() else len(gains)
        top = serps.grades[:, : self.cutoff]
        rows, ranks = found(top, lowest)
        earned = sum_by_row(rows, gains[top[rows, ranks - 1]] / _discounts(ranks), serps)
        return share(earned, self._ideal(serps, gains))

    def _ideal(self, serps: Serps, gains: NDArray[np.float64]) -> NDArray[np.float64]:
        """The DCG of the best list, summed in rank order like the run's, so that a perfect list scores exactly 1."""
        falling = np.argsort(-gains, kind="stable")
        falling = falling[gains[falling] > 0.0]
        counts = serps.judged[:, falling]
        rows = np.repeat(np.arange(len(counts)), counts.sum(axis=1))
        worth = np.repeat(np.tile(gains[falling], len(counts)), counts.ravel())
        ranks = place_in_row(rows) + 1
        if self.cutoff is not None:
            counts_for_k = ranks <= self.cutoff
            rows, worth, ranks = rows[counts_for_k], worth[counts_for_k], ranks[counts_for_k]
        return sum_by_row(rows, worth / _discounts(ranks), serps)

    def _gain_table(self, grades: NDArray[np.float64]) -> NDArray[np.float64]:
        if isinstance(self.gains, Gains):
            return self.gains.table(grades)
        return grades if self.dcg == "log2" else np.exp2(grades) - 1.0


def _discounts(ranks: NDArray[np.int64]) -> NDArray[np.float64]:
    """log2(rank + 1), looked up: the logarithm is taken once per rank, not once per document."""
    by_rank: NDArray[np.float64] = np.log2(np.arange(1.0, ranks.max(initial=0) + 2.0))
    return by_rank[ranks]
