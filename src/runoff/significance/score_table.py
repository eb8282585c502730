"""Scores that have few values, as small codes, and what two of them differ by, looked up and not computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.significance._input import in_units
from runoff.significance._signed_rank_pairs import MOST_DISTINCT, MOST_SIZES

LOOK_CELLS: Final = 1 << 20  # scores looked at at once


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreTable:
    """The distinct scores of a board, ascending, and the sizes of their differences without 0, ascending.

    differences  code of values[j] - values[i] at [i x values + j]: 0 is a tie, 1..s a win by the s sizes, s + 1..2 s a
                 loss

    Differences are the same if they are so in whole numbers of 1e-10 of the largest score: 1/2 - 1/3 and 1/3 - 1/6.
    """

    values: NDArray[np.float64]
    differences: NDArray[np.intp]
    sizes: NDArray[np.float64]

    @property
    def width(self) -> int:
        """How many codes differences have."""
        return 2 * len(self.sizes) + 1

    def codes(self, scores: NDArray[np.float64]) -> NDArray[np.unsignedinteger]:
        """Scores (queries, runs) as places in the list of values: (runs, queries), of the smallest type."""
        found = np.searchsorted(self.values, scores.T)
        return found.astype(np.min_scalar_type(len(self.values)))

    def pair(self, codes: NDArray[np.unsignedinteger], others: NDArray[np.unsignedinteger]) -> NDArray[np.intp]:
        """The codes of what other scores are higher by."""
        places = codes.astype(np.intp)
        places *= len(self.values)
        places += others
        return self.differences[places]


def score_table(scores: NDArray[np.float64]) -> ScoreTable | None:
    """The table of the scores of a board, queries x runs; None if they have so many values that sorting is better.

    >>> table = score_table(np.array([[1.0, 0.5], [0.0, 0.5]] * 4))
    >>> table.values.tolist(), table.sizes.tolist(), table.differences.reshape(3, 3).tolist()
    ([0.0, 0.5, 1.0], [0.5, 1.0], [[0, 1, 2], [3, 0, 1], [4, 3, 0]])
    """
    values = np.zeros(0)
    rows = max(1, LOOK_CELLS // scores.shape[1])
    for low in range(0, len(scores), rows):
        values = np.union1d(values, scores[low : low + rows])
        if len(values) > MOST_DISTINCT:
            return None
    differences, sizes = coded((values[None, :] - values[:, None]).ravel(), float(np.abs(values).max()))
    if len(sizes) > MOST_SIZES * len(scores):
        return None
    return ScoreTable(values=values, differences=differences, sizes=sizes)


def coded(differences: NDArray[np.float64], size: float) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Differences as codes, see `ScoreTable`, and their sizes without 0; `size` is the largest score."""
    whole = np.append(in_units(differences, size), 0)  # with 0, which comes first
    sizes, first, places = np.unique(np.abs(whole), return_index=True, return_inverse=True)
    return np.where(whole >= 0, places, len(sizes) - 1 + places)[:-1], np.abs(differences)[first[1:]]
