"""All SERPs of a small depth in the orders of two measures: where measures may disagree, and how much they do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons.all_serps import AllSerpsResult
from runoff.measures import AP, RBP, Measure, nDCG
from runoff.tables.serps import Serps

FIGURE_3: Final[tuple[tuple[Measure, Measure], ...]] = (
    (RBP(p=0.5), RBP(p=0.5)),
    (RBP(p=0.5), nDCG()),
    (AP(), RBP(p=0.5)),
    (AP(), nDCG()),
)
"""Rows and columns of the panes (a) to (d) of the paper's Figure 3."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SerpOrdersResult:
    """The relations between all SERPs of a depth, rows in the order of one measure and columns in that of another.

    rows, columns              the measures
    row_serps, column_serps    the SERPs, a digit per rank, the worst first
    relations                  int8, as those of `AllSerpsResult`
    tau                        Kendall's tau between the two orders
    """

    depth: int
    rows: str
    columns: str
    row_serps: tuple[str, ...]
    column_serps: tuple[str, ...]
    relations: NDArray[np.int8]
    tau: float

    def __post_init__(self) -> None:
        self.relations.setflags(write=False)


def in_orders_of(all_serps: AllSerpsResult, rows: Measure, columns: Measure) -> SerpOrdersResult:
    """All SERPs of a depth by the scores of two measures; equal scores keep the order of the binary numbers.

    Every SERP is one of a query with as many relevant documents as there are ranks. Whatever the measures, the same
    pairs are non-separable; they only move.

        tau = (pairs in the same order - pairs in opposite orders) / all pairs

    Moffat & Mackenzie 2024, Figure 3, https://doi.org/10.1002/asi.24874

    >>> from runoff.comparisons import relations_of_all
    >>> [round(in_orders_of(relations_of_all(6), *pane).tau, 3) for pane in FIGURE_3]
    [1.0, 0.796, 0.786, 0.976]
    """
    down, across = (_order(all_serps, measure) for measure in (rows, columns))
    return SerpOrdersResult(
        depth=all_serps.depth,
        rows=str(rows),
        columns=str(columns),
        row_serps=tuple(all_serps.serps[place] for place in down.tolist()),
        column_serps=tuple(all_serps.serps[place] for place in across.tolist()),
        relations=all_serps.relations[np.ix_(down, across)],
        tau=_tau(down, across),
    )


def _order(all_serps: AllSerpsResult, measure: Measure) -> NDArray[np.int64]:
    """The places of the SERPs by their scores, the worst first."""
    grades = np.array([list(map(int, serp)) for serp in all_serps.serps], dtype=np.int8)
    count, depth = grades.shape
    serps = Serps(
        run=f"all lists of {depth}",
        query_ids=all_serps.serps,
        grades=grades,
        retrieved=np.full(count, depth, dtype=np.int64),
        judged=np.tile(np.array([depth, depth], dtype=np.int64), (count, 1)),
        depth_tied=np.zeros(count, dtype=np.bool_),
        tie_rule="none",
    )
    sign = -1.0 if measure.best == "low" else 1.0
    scores = np.nan_to_num(sign * measure.values(serps), nan=-np.inf)
    return np.argsort(scores.round(12), kind="stable")  # so that ties are ties of the measure, not of float64


def _tau(first: NDArray[np.int64], second: NDArray[np.int64]) -> float:
    """Kendall's tau of two orders of the same things, without ties."""
    places = [np.argsort(order) for order in (first, second)]
    one, other = (np.sign(np.subtract.outer(place, place)) for place in places)
    pairs = len(first) * (len(first) - 1)
    return float((one * other).sum() / pairs)
