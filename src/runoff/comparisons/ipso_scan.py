"""The scan of IPSO: two SERPs per query, rank by rank, and how they stand at every depth."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

NS: Final = -1
"""The first SERP is non-superior: never ahead, somewhere behind."""
EQUAL: Final = 0
"""The SERPs are equal: neither was ever ahead."""
NI: Final = 1
"""The first SERP is non-inferior: never behind, somewhere ahead."""
NONSEPARABLE: Final = 2
"""Each SERP was ahead somewhere, so measures may disagree; it stays so at greater depth."""

SYMBOLS: Final = {NS: "ns", EQUAL: "==", NI: "ni", NONSEPARABLE: "**"}
"""Each relation as the paper prints it."""


def gains_of(grades: NDArray[np.int8], table: NDArray[np.int64], depth: int) -> NDArray[np.signedinteger]:
    """The gain at every rank to the depth, queries x depth; unjudged documents and empty ranks gain nothing.

    The type is the smallest that holds a whole SERP's gain, and so the difference of two.

    grades  queries x ranks, of which there may be fewer than `depth`
    table   the whole gain of each grade from 0, rising
    """
    smallest = whole_type(int(table[-1]) * depth)
    gains = np.zeros((len(grades), depth), dtype=smallest)
    kept = gains[:, : grades.shape[1]]
    for grade, more in enumerate(np.diff(table).astype(smallest), start=1):
        if more:  # what this grade is worth beyond the one below: much faster than looking up every cell
            kept += (grades >= grade) * more
    return gains


def whole_type(largest: int) -> np.dtype[np.signedinteger]:
    """The smallest signed type that holds every whole number from -largest to largest."""
    types = (np.int8, np.int16, np.int32, np.int64)
    return next(np.dtype(kind) for kind in types if largest <= np.iinfo(kind).max)


def scan(first: NDArray[np.signedinteger], second: NDArray[np.signedinteger]) -> NDArray[np.int8]:
    """The relation of two SERPs at every depth: int8, queries x depth, of the codes above.

    Algorithm 1 of Moffat & Mackenzie 2024, https://doi.org/10.1002/asi.24874, for all queries at once: gains of the
    first are added, those of the second subtracted, and what counts is on which sides of zero the sum has been.

    first, second  whole gains, queries x depth, as from `gains_of`

    >>> scan(np.array([[1, 0, 0]], dtype=np.int8), np.array([[0, 1, 1]], dtype=np.int8)).tolist()
    [[1, 1, 2]]
    """
    lead = np.cumsum(first - second, axis=1, dtype=first.dtype)
    ahead = np.logical_or.accumulate(lead > 0, axis=1).view(np.int8)
    behind = np.logical_or.accumulate(lead < 0, axis=1).view(np.int8)
    relations: NDArray[np.int8] = ahead - behind
    relations[(ahead & behind).view(np.bool_)] = NONSEPARABLE
    return relations
