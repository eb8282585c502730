"""Share of judged documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.measures._base import Measure, Scale, count_found, share
from runoff.tables.serps import Serps


@dataclass(frozen=True, kw_only=True, repr=False)
class Judged(Measure):
    """The share of the documents retrieved in the first k ranks that have a judgment; 0 where nothing was retrieved.

        Judged@k = (judged documents in ranks 1..k) / min(k, documents retrieved)

    It says how far to trust the other measures. As in ir_measures:
    MacAvaney, Macdonald & Ounis 2022, https://doi.org/10.1007/978-3-030-99739-7_38

    >>> from runoff.measures._example import serps_of
    >>> (Judged @ 10).values(serps_of([1, -1, 0, -1])).tolist()
    [0.5]
    """

    name: ClassVar[str] = "Judged"
    description: ClassVar[str] = "The share of the documents retrieved in the first k ranks that have a judgment."
    source: ClassVar[str] = "MacAvaney, Macdonald & Ounis 2022, https://doi.org/10.1007/978-3-030-99739-7_38"
    scale: ClassVar[Scale] = "ordinal"
    scale_reason: ClassVar[str] = (
        "Its step, one over the length of the list where that is below k, differs from query to query."
    )

    def _values(self, serps: Serps) -> NDArray[np.float64]:
        top = serps.grades[:, : self.cutoff]
        return share(count_found(top, 0), np.minimum(serps.retrieved, top.shape[1]))
