"""The queries of a simulated board: how hard each is, its documents, and which are labelled relevant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

MOST_RELEVANT: Final = 3
"""No query has more relevant documents than this."""

_FIRST_DOCUMENT: Final = 1_000_000
_DOCUMENTS: Final = 8_999_993  # a prime, so that every stride visits all documents before it repeats one
_QUERY_NUMBERS: Final = 1_200_000
_SECOND_EXTRA: Final = 0.1  # share of the queries with two relevant documents that have a third


@dataclass(frozen=True, eq=False)
class SimulatedQueries:
    """Queries in the order of their ids; all arrays have one entry per query.

    The documents that could be retrieved for a query are numbered 0, 1, 2, ... there; the first `relevant` of them
    are labelled relevant.

    hardness    float64: standard normal, shared by all systems; large is hard.
    relevant    int64: how many documents are relevant, from 1 to `MOST_RELEVANT`.
    start, stride   int64: the place in the collection of a query's first document, and the way to the next.
    """

    query_ids: tuple[str, ...]
    hardness: NDArray[np.float64]
    relevant: NDArray[np.int64]
    start: NDArray[np.int64]
    stride: NDArray[np.int64]

    def documents(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The document at each of a query's own numbers, queries x any; different numbers give different documents.

        Documents are seven-digit integers, so they sort as their ids do.
        """
        places = (self.start[:, None] + numbers * self.stride[:, None]) % _DOCUMENTS
        return places + _FIRST_DOCUMENT


def doc_id(document: int) -> str:
    """The id of a document as it stands in files.

    >>> doc_id(1234567)
    'D1234567'
    """
    return f"D{document}"


def draw_queries(count: int, mean_relevant: float, rng: np.random.Generator) -> SimulatedQueries:
    """Draw `count` queries with `mean_relevant` relevant documents each on average, from 1 to 2."""
    numbers = np.sort(rng.choice(max(_QUERY_NUMBERS, 2 * count), size=count, replace=False)) + 1
    second = rng.random(count) < (mean_relevant - 1.0) / (1.0 + _SECOND_EXTRA)
    third = second & (rng.random(count) < _SECOND_EXTRA)
    return SimulatedQueries(
        query_ids=tuple(map(str, numbers.tolist())),
        hardness=rng.standard_normal(count),
        relevant=1 + second.astype(np.int64) + third,
        start=rng.integers(0, _DOCUMENTS, size=count),
        stride=rng.integers(1, _DOCUMENTS, size=count),
    )
