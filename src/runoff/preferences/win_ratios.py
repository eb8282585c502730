"""Win ratios: how often one run's top document is preferred to another's, and corrected for judges' errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.choices import CorrectionName
from runoff.errors import UsageError
from runoff.preferences.pairs import UNJUDGED, PreferredShare, count_pairs, item_places
from runoff.preferences.pools import NOTHING, PERFECT, TopDocs
from runoff.significance import Family, binomial_intervals, binomial_p, correct
from runoff.tables.preferences import Preferences

Matrix = NDArray[np.int64]
Values = NDArray[np.float64]

POOLED: Final = 0.9
"""The share of the judged queries whose top document was judged, for a run to count as pooled."""
NOT_POOLED: Final = "°"
"""The mark of a run that was not pooled."""
_SAME: Final = 3
_MISSING: Final = 4


@dataclass(frozen=True, eq=False, kw_only=True)
class WinRatiosResult:
    """All pairs of runs; in every matrix, runs x runs, a cell is about the run of its column against that of its row.

    wins         queries in which the column's top document is preferred; losses: its mirror image
    even         queries in which the judgments of the two documents split evenly: left out of ratio, interval and test
    unjudged     queries whose two documents differ and were never compared
    same         queries in which both have the same document; missing: one of them has none
    ratios       float64: wins / (wins + losses); NaN where nothing was decided, and on the diagonal
    low, high    float64: the ends of its exact 95% interval
    raw_p        float64: the exact binomial test of wins against losses; NaN on the diagonal
    p            corrected over the family; NaN also where one of the two runs was not pooled
    family       all pairs of pooled runs; None if there is no such pair
    run_wins     int64, runs: how many other runs each run beats, which is a ratio above 1/2
    judged_tops  float64, runs: in what share of the judged queries the run's top document was judged at all
    """

    runs: tuple[str, ...]
    queries: int
    wins: Matrix
    even: Matrix
    unjudged: Matrix
    same: Matrix
    missing: Matrix
    ratios: Values
    low: Values
    high: Values
    raw_p: Values
    p: Values
    correction: CorrectionName
    family: Family | None
    run_wins: NDArray[np.int64]
    judged_tops: Values

    @property
    def losses(self) -> Matrix:
        """Queries in which the row's top document is preferred."""
        return self.wins.T

    @property
    def counted(self) -> Matrix:
        """The queries that a ratio is of: their top documents differ and one of them is preferred."""
        return self.wins + self.wins.T

    @property
    def is_pooled(self) -> NDArray[np.bool_]:
        """bool, runs: whether the run counts as pooled: nearly all of its top documents were judged.

        Of a run that was not, only those top documents were judged that another run or the labels have too, so that its
        ratios are of fewer queries, those in which it is like the others. They are shown and not tested.
        """
        return self.judged_tops >= POOLED

    @property
    def marked_runs(self) -> tuple[str, ...]:
        """The names of the runs, those that were not pooled with a mark."""
        return tuple(
            name if pooled else f"{name}{NOT_POOLED}"
            for name, pooled in zip(self.runs, self.is_pooled.tolist(), strict=True)
        )

    @property
    def order(self) -> list[int]:
        """The places of the runs: the perfect ranking, then pooled runs, most wins first, then the others."""
        order: list[int] = np.lexsort((-self.run_wins, ~self.is_pooled)).tolist()
        return sorted(order, key=lambda place: self.runs[place] != PERFECT)


def win_ratios(table: Preferences, tops: TopDocs, *, correction: CorrectionName = "bonferroni") -> WinRatiosResult:
    """How often the top document of one run is preferred to that of another, over the queries in which they differ.

    Several judgments of one pair count by majority; queries in which they split evenly are left out.

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
    cells, starts, widths, local, judged_tops = _outcome_cells(table, tops)
    counts = {value: np.zeros((runs, runs), dtype=np.int64) for value in (1, -1, 0, UNJUDGED, _SAME, _MISSING)}
    for row in range(runs - 1):
        outcome = cells[starts + local[row] * widths + local[row + 1 :]]
        for value, matrix in counts.items():
            matrix[row, row + 1 :] = np.count_nonzero(outcome == value, axis=1)
    # an outcome of 1 is for the row's document, so it counts for the mirrored cell
    wins = counts[-1] + counts[1].T
    even, unjudged, same, missing = (counts[value] + counts[value].T for value in (0, UNJUDGED, _SAME, _MISSING))
    counted = wins + wins.T
    ratios = np.divide(wins, counted, out=np.full(counted.shape, np.nan), where=counted > 0)
    low, high = binomial_intervals(wins, counted)
    upper = np.triu_indices(runs, 1)
    raw_p, p = _mirrored(binomial_p(wins[upper], wins.T[upper]), runs), np.full((runs, runs), np.nan)
    pooled = np.flatnonzero(judged_tops >= POOLED)
    family = None
    if len(pooled) > 1:
        first, second = (pooled[side] for side in np.triu_indices(len(pooled), 1))
        family = Family(f"all pairs of {len(pooled)} {'runs' if len(pooled) == runs else 'pooled runs'}", len(first))
        p[first, second] = p[second, first] = correct(raw_p[first, second], correction=correction, family=family).p
    return WinRatiosResult(
        runs=tops.runs,
        queries=len(tops.query_ids),
        wins=wins,
        even=even,
        unjudged=unjudged,
        same=same,
        missing=missing,
        ratios=ratios,
        low=low,
        high=high,
        raw_p=raw_p,
        p=p,
        correction=correction,
        family=family,
        run_wins=(np.nan_to_num(ratios, nan=0.0) > 0.5).sum(axis=0),
        judged_tops=judged_tops,
    )


def _outcome_cells(table: Preferences, tops: TopDocs) -> tuple[NDArray[np.int8], Matrix, Matrix, Matrix, Values]:
    """Of every query a square table of outcomes between its distinct top documents, all in a row.

    The second array is where each query's table begins, the third its width, the fourth (runs x queries) the place of
    each run's document in it. So the outcome of two runs is one look into the first array. The last is `judged_tops`.
    """
    queries, width = len(tops.query_ids), len(tops.docs) + 1  # one more document stands for nothing
    tops_or_last = np.where(tops.places == NOTHING, width - 1, tops.places)
    items, places = np.unique(np.arange(queries) * width + tops_or_last, return_inverse=True)
    places = places.reshape(tops_or_last.shape)
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
    columns = np.minimum(np.searchsorted(items, keys), len(items) - 1)
    is_shown = (query >= 0) & (doc >= 0) & (items[columns] == keys)
    both = np.flatnonzero(is_shown[counts.first] & is_shown[counts.second])
    first, second = columns[counts.first[both]], columns[counts.second[both]]
    begin, wide = starts[item_query[first]], widths[item_query[first]]
    cells[begin + position[first] * wide + position[second]] = counts.majority[both]
    cells[begin + position[second] * wide + position[first]] = -counts.majority[both]

    for query_place in np.flatnonzero((tops.places == NOTHING).any(axis=0)).tolist():
        square = cells[starts[query_place] : starts[query_place] + widths[query_place] ** 2]
        square = square.reshape(widths[query_place], -1)
        square[-1, :] = square[:, -1] = _MISSING
    is_judged = np.zeros(len(items), dtype=np.bool_)
    is_judged[columns[is_shown]] = True
    has_pairs = np.isin(np.arange(queries), query)
    judged_tops = (is_judged[places] & (tops.places != NOTHING) & has_pairs).sum(axis=1) / max(int(has_pairs.sum()), 1)
    return cells, starts, widths, places - begins, judged_tops


def _mirrored(values: Values, size: int) -> Values:
    matrix = np.full((size, size), np.nan)
    matrix[np.triu_indices(size, 1)] = values
    matrix.T[np.triu_indices(size, 1)] = values
    return matrix


_HALVINGS: Final = 60
"""Of an interval of width 2: what is left is below the spacing of float64."""


@dataclass(frozen=True, kw_only=True)
class JudgeError:
    """How often judges prefer the worse document, as category A implies if the label is the better one of each pair.

    error, ci95  1 - the share in which the label is preferred, and its exact 95% interval; NaN where nothing is decided
    counted      the queries that it is of
    """

    error: float
    ci95: tuple[float, float]
    counted: int

    @property
    def is_below_half(self) -> bool:
        """Whether judges are shown to be better than chance; else nothing can be corrected."""
        return self.ci95[1] < 0.5


@dataclass(frozen=True, eq=False, kw_only=True)
class CorrectedRatios:
    """How often something is truly better, and the ends of the 95% interval; NaN where nothing can be said."""

    ratios: Values
    low: Values
    high: Values


def implied_error(agrees: PreferredShare) -> JudgeError:
    """The error that category A implies: its top document is the label, and taken to be better than the second one.

    If the label is at times the worse document, judges err less than this says.

    Arabzadeh et al. 2021, section 3.2, https://arxiv.org/abs/2109.00062: "a rough estimate of crowdsourcing error at
    33%", from 640 of 1,868.

    >>> found = implied_error(PreferredShare.of(1228, 640))
    >>> round(found.error, 3), [round(end, 3) for end in found.ci95]
    (0.343, [0.321, 0.365])
    """
    low, high = agrees.ci95
    return JudgeError(error=1.0 - agrees.share, ci95=(1.0 - high, 1.0 - low), counted=agrees.counted)


def corrected_ratios(ratios: WinRatiosResult, error: JudgeError) -> CorrectedRatios:
    """The win ratios of all pairs of runs, corrected for judges' error."""
    return corrected_values(ratios.ratios, ratios.low, ratios.high, error)


def corrected_share(share: PreferredShare, error: JudgeError) -> CorrectedRatios:
    """A share corrected for judges' error.

    >>> found = corrected_share(PreferredShare.of(2996, 2116), implied_error(PreferredShare.of(1228, 640)))
    >>> [round(float(one), 3) for one in (found.ratios, found.low, found.high)]
    [0.773, 0.721, 0.837]
    """
    low, high = map(np.array, share.ci95)
    return corrected_values(np.array(share.share), low, high, error)


def corrected_values(ratios: Values, low: Values, high: Values, error: JudgeError) -> CorrectedRatios:
    """Observed ratios w, with their intervals, corrected for judges who err with chance e whichever document is better.

        w  =  e + (1 - 2e) t      so      t  =  (w - e) / (1 - 2e),      2t - 1  =  (2w - 1) / (1 - 2e)

    The last is a quotient of two independent estimates, x / y. Its interval holds every s for which 0 is in the
    interval of x - s y, which is made from those of x and y by recovering their variances (Donner & Zou 2012,
    Closed-form confidence intervals for functions of the normal mean and standard deviation, Statistical Methods in
    Medical Research 21(4), 347-359). It holds t = 1/2 exactly where the interval of w does: an error that is
    the same for all pairs moves a ratio away from one half, and changes no test. Values beyond 0 and 1 are cut there.
    """
    nothing = np.full(np.shape(ratios), np.nan)
    if not error.is_below_half:
        return CorrectedRatios(ratios=nothing, low=nothing, high=nothing)
    x, below, above = 2 * ratios - 1, 2 * (ratios - low), 2 * (high - ratios)
    y, less, more = 1 - 2 * error.error, 2 * (error.ci95[1] - error.error), 2 * (error.error - error.ci95[0])

    def lower(s: Values) -> Values:
        return x - s * y - np.hypot(below, s * np.where(s > 0, more, less))

    def upper(s: Values) -> Values:
        return x - s * y + np.hypot(above, s * np.where(s > 0, less, more))

    ends = [(1 + _falls_to_zero(function, np.shape(ratios))) / 2 for function in (lower, upper)]
    unknown = np.isnan(ratios)
    return CorrectedRatios(
        ratios=np.clip((1 + x / y) / 2, 0.0, 1.0),
        low=np.where(unknown, np.nan, ends[0]),
        high=np.where(unknown, np.nan, ends[1]),
    )


def _falls_to_zero(function: Callable[[Values], Values], shape: tuple[int, ...]) -> Values:
    """Where in -1..1 a falling function is 0; an end where it is nowhere."""
    low, high = np.full(shape, -1.0), np.full(shape, 1.0)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        is_right = function(middle) > 0
        low, high = np.where(is_right, middle, low), np.where(is_right, high, middle)
    root: Values = (low + high) / 2
    return root
