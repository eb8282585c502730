"""Groups of equal values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def tie_sizes(ordered: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.int64]:
    """How many values are equal, for each distinct value of a sorted array.

    >>> tie_sizes(np.array([0.1, 0.1, 0.5, 0.7, 0.7])).tolist()
    [2, 1, 2]
    """
    if not len(ordered):
        return np.zeros(0, dtype=np.int64)
    edges = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return np.diff(edges, prepend=0, append=len(ordered))
