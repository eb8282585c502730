"""Expected search length: the rank of the first relevant document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from runoff.measures._base import BinaryMeasure, Scale, first_rank
from runoff.tables.serps import Serps


@dataclass(frozen=True, kw_only=True, repr=False)
class ESL(BinaryMeasure):
    """The rank of the first relevant document; undefined (NaN, not 0 and not k + 1) where the first k ranks hold none.

        ESL@k = r,  r = the rank of the first document of grade `rel` or more, if r <= k

    Lower is better. Cooper 1968, https://doi.org/10.1002/asi.5090190108, as used by
    Lin et al. 2021, https://doi.org/10.48550/arXiv.2102.12887

    >>> from runoff.measures._example import serps_of
    >>> (ESL @ 3).values(serps_of([0, 1], [0, 0, 0, 1])).tolist()
    [2.0, nan]
    """

    name: ClassVar[str] = "ESL"
    description: ClassVar[str] = (
        "The rank of the first relevant document, undefined where there is none; lower is better."
    )
    source: ClassVar[str] = "Cooper 1968, https://doi.org/10.1002/asi.5090190108"
    scale: ClassVar[Scale] = "ratio"
    scale_reason: ClassVar[str] = (
        "It counts documents read: one rank is the same effort everywhere, and twice the rank is twice the effort."
    )
    value_range: ClassVar[tuple[float, float]] = (1.0, np.inf)
    best: ClassVar[Literal["high", "low"]] = "low"

    def _values(self, serps: Serps) -> NDArray[np.float64]:
        return first_rank(serps.grades[:, : self.cutoff], serps.code_of(self.rel))
