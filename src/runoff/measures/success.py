"""Success at a cutoff."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.measures._base import BinaryMeasure, Scale
from runoff.tables.serps import Serps


@dataclass(frozen=True, kw_only=True, repr=False)
class Success(BinaryMeasure):
    """1 where the first k ranks hold a relevant document, else 0.

        Success@k = 1 if some rank r <= k is relevant, else 0

    Craswell & Hawking 2004, Overview of the TREC-2004 Web Track, https://doi.org/10.6028/NIST.SP.500-261

    >>> from runoff.measures._example import serps_of
    >>> (Success @ 3).values(serps_of([0, 0, 1], [0, 0, 0, 1])).tolist()
    [1.0, 0.0]
    """

    name: ClassVar[str] = "Success"
    description: ClassVar[str] = "1 where the first k ranks hold a relevant document, else 0."
    source: ClassVar[str] = (
        "Craswell & Hawking 2004, Overview of the TREC-2004 Web Track, https://doi.org/10.6028/NIST.SP.500-261"
    )
    scale: ClassVar[Scale] = "interval"
    scale_reason: ClassVar[str] = "It has one step, from 0 to 1, and that step means the same for every query."

    def _values(self, serps: Serps) -> NDArray[np.float64]:
        has_relevant = np.any(serps.grades[:, : self.cutoff] >= serps.code_of(self.rel), axis=1)
        return np.asarray(has_relevant, dtype=np.float64)
