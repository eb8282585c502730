"""Win ratios: how often one run's top document is preferred to another's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.preferences.matching import UNJUDGED, item_places
from runoff.preferences.pairs import count_pairs
from runoff.preferences.tops import NOTHING, TopDocs
from runoff.significance import CorrectionName, Family, binomial_p, correct
from runoff.tables.preferences import Preferences

Matrix = NDArray[np.int64]

_SAME: Final = 3
_MISSING: Final = 4


@dataclass(frozen=True, eq=False, kw_only=True)
class WinRatiosResult:
    """All pairs of runs; in every matrix, runs x runs, a cell is about the run of its column against that of its row.

    wins       queries in which the column's top document is preferred; losses: its mirror image
    even       queries in which the judgments of the two documents split evenly
    unjudged   queries whose two documents differ and were never compared
    same       queries in which both have the same document; missing: one of them has none
    ratios     float64: (wins + even / 2) / (wins + losses + even); NaN where nothing was judged, and on the diagonal
    raw_p      float64: the exact binomial test of wins against losses; p: corrected; NaN on the diagonal
    run_wins   int64, runs: how many other runs each run beats, which is a ratio above 1/2
    """

    runs: tuple[str, ...]
    queries: int
    wins: Matrix
    even: Matrix
    unjudged: Matrix
    same: Matrix
    missing: Matrix
    ratios: NDArray[np.float64]
    raw_p: NDArray[np.float64]
    p: NDArray[np.float64]
    correction: CorrectionName
    family: Family
    run_wins: NDArray[np.int64]

    @property
    def losses(self) -> Matrix:
        """Queries in which the row's top document is preferred."""
        return self.wins.T


def win_ratios(table: Preferences, tops: TopDocs, *, correction: CorrectionName = "bonferroni") -> WinRatiosResult:
    """How often the top document of one run is preferred to that of another, over the queries in which they differ.

    Several judgments of one pair count by majority, and an even split as half a win. The test leaves even splits out,
    as the sign test does ties.

    Arabzadeh et al. 2021, section 4.2 and Table 4, https://arxiv.org/abs/2109.00062

    >>> table = Preferences.of([("q1", "a", "b", "a"), ("q2", "c", "d", "c")])
    >>> tops = TopDocs.of({"x": {"q1": "a", "q2": "c"}, "y": {"q1": "b", "q2": "d"}}, ["q1", "q2"])
    >>> result = win_ratios(table, tops)
    >>> result.ratios[1, 0], result.ratios[0, 1], result.run_wins.tolist()
    (np.float64(1.0), np.float64(0.0), [1, 0])
    """
    runs = len(tops.runs)
    if runs < 2:
        raise UsageError(f"{runs} run in the matrix; expected two or more; give another run or the perfect ranking")
    cells, starts, widths, local = _outcome_cells(table, tops)
    counted = {value: np.zeros((runs, runs), dtype=np.int64) for value in (1, -1, 0, UNJUDGED, _SAME, _MISSING)}
    for row in range(runs - 1):
        outcome = cells[starts + local[row] * widths + local[row + 1 :]]
        for value, matrix in counted.items():
            matrix[row, row + 1 :] = np.count_nonzero(outcome == value, axis=1)
    # an outcome of 1 is for the row's document, so it counts for the mirrored cell
    wins = counted[-1] + counted[1].T
    even, unjudged, same, missing = (counted[value] + counted[value].T for value in (0, UNJUDGED, _SAME, _MISSING))
    judged = wins + wins.T + even
    ratios = np.divide(wins + even / 2, judged, out=np.full(judged.shape, np.nan), where=judged > 0)
    upper = np.triu_indices(runs, 1)
    family = Family(f"all pairs of {runs} runs", len(upper[0]))
    corrected = correct(binomial_p(wins[upper], wins.T[upper]), correction=correction, family=family)
    return WinRatiosResult(
        runs=tops.runs,
        queries=len(tops.query_ids),
        wins=wins,
        even=even,
        unjudged=unjudged,
        same=same,
        missing=missing,
        ratios=ratios,
        raw_p=_mirrored(corrected.raw_p, runs),
        p=_mirrored(corrected.p, runs),
        correction=correction,
        family=family,
        run_wins=(np.nan_to_num(ratios, nan=0.0) > 0.5).sum(axis=0),
    )


def _outcome_cells(
    table: Preferences, tops: TopDocs
) -> tuple[NDArray[np.int8], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Of every query a square table of outcomes between its distinct top documents, all in a row.

    The second array is where each query's table begins, the third its width, the fourth (runs x queries) the place of
    each run's document in it. So the outcome of two runs is one look into the first array.
    """
    queries, width = len(tops.query_ids), len(tops.docs) + 1  # one more document stands for nothing
    shown = np.where(tops.places == NOTHING, width - 1, tops.places)
    items, places = np.unique(np.arange(queries) * width + shown, return_inverse=True)
    places = places.reshape(shown.shape)
    item_query = items // width
    begins = np.searchsorted(item_query, np.arange(queries))
    widths = np.bincount(item_query, minlength=queries)
    starts = np.cumsum(widths**2) - widths**2
    cells = np.full(int((widths**2).sum()), UNJUDGED, dtype=np.int8)
    position = np.arange(len(items)) - begins[item_query]
    cells[starts[item_query] + position * (widths[item_query] + 1)] = _SAME

    counts = count_pairs(table)
    query, doc = item_places(table, counts, tops.query_ids, tops.docs)
    keys = query * width + doc
    found = np.minimum(np.searchsorted(items, keys), len(items) - 1)
    is_shown = (query >= 0) & (doc >= 0) & (items[found] == keys)
    both = np.flatnonzero(is_shown[counts.first] & is_shown[counts.second])
    one, other = found[counts.first[both]], found[counts.second[both]]
    begin, wide = starts[item_query[one]], widths[item_query[one]]
    cells[begin + position[one] * wide + position[other]] = counts.majority[both]
    cells[begin + position[other] * wide + position[one]] = -counts.majority[both]

    for query_place in np.flatnonzero((tops.places == NOTHING).any(axis=0)).tolist():
        square = cells[starts[query_place] : starts[query_place] + widths[query_place] ** 2]
        square = square.reshape(widths[query_place], -1)
        square[-1, :] = square[:, -1] = _MISSING
    return cells, starts, widths, places - begins


def _mirrored(values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    matrix = np.full((size, size), np.nan)
    matrix[np.triu_indices(size, 1)] = values
    matrix.T[np.triu_indices(size, 1)] = values
    return matrix
