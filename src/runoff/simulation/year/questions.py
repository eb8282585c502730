"""The queries of the simulated year: the true value of every document, and the label that somebody gave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.simulation.year.cast import LABEL_TASTE

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

CANDIDATES: Final = 60
"""Documents per query that any run could retrieve; no two queries share one."""
LABEL_EYE: Final = 2.2
"""How strongly the labeller goes by the perceived value; the rest is chance."""
HARDNESS: Final = 0.4
"""How far the noise of all runs differs between queries."""
GRADES: Final = (0.8, 1.5, 2.2)
"""The true value from which on a document has grade 1, 2 and 3."""

_QUERY_NUMBERS: Final = (100_000, 1_000_000)
_FIRST_DOCUMENT: Final = 1_000_000
_DOCUMENTS: Final = 8_999_993  # a prime, so that multiples of a stride visit every document once


@dataclass(frozen=True, eq=False, kw_only=True)
class Questions:
    """Queries in the order of their ids; arrays have a row per query.

    numbers    int64: the query ids, all of six digits
    value      float64, queries x candidates: how good each document truly is, standard normal
    fashion    float64, queries x candidates: what was in fashion when labels were made, standard normal
    noise      float64, queries: how loud the noise of every run is
    label      int64: the candidate that is labelled relevant
    documents  int64, queries x candidates: the number behind each document id, of seven digits
    """

    numbers: Places
    value: Floats
    fashion: Floats
    noise: Floats
    label: Places
    documents: Places

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The ids of the queries."""
        return tuple(map(str, self.numbers.tolist()))

    @property
    def best(self) -> Places:
        """The candidate of each query that is truly best."""
        best: Places = self.value.argmax(axis=1)
        return best

    def grades(self, rows: Places) -> NDArray[np.int64]:
        """The true grades of some queries' candidates, from 0 to 3."""
        return np.searchsorted(np.array(GRADES), self.value[rows], side="right").astype(np.int64)

    def perceived(self, taste: float) -> Floats:
        """What the documents look like to somebody of that taste."""
        return seen(self.value, self.fashion, taste)


def seen(value: Floats, fashion: Floats, taste: float) -> Floats:
    """How good documents look: value x cos(taste) + fashion x sin(taste), which is standard normal again."""
    look: Floats = np.cos(taste) * value + np.sin(taste) * fashion
    return look


def draw_label(value: Floats, fashion: Floats, rng: np.random.Generator) -> Places:
    """The label of each query: one document, chosen with probability proportional to exp(2.2 x perceived value)."""
    chance = rng.gumbel(size=value.shape)
    label: Places = (LABEL_EYE * seen(value, fashion, LABEL_TASTE) + chance).argmax(axis=1)
    return label


def draw_questions(count: int, rng: np.random.Generator) -> Questions:
    """Draw queries, their documents and labels."""
    numbers = np.sort(rng.choice(np.arange(*_QUERY_NUMBERS), size=count, replace=False))
    value, fashion = rng.standard_normal((2, count, CANDIDATES))
    stride = int(rng.integers(1, _DOCUMENTS))
    documents = np.arange(count * CANDIDATES).reshape(count, CANDIDATES) * stride % _DOCUMENTS + _FIRST_DOCUMENT
    return Questions(
        numbers=numbers,
        value=value,
        fashion=fashion,
        noise=np.exp(HARDNESS * rng.standard_normal(count)),
        label=draw_label(value, fashion, rng),
        documents=documents,
    )
