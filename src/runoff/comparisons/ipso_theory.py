"""IPSO over all possible SERPs: how often two are equal or separable, their order, and where measures disagree."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons.ipso import NI, scan
from runoff.errors import UsageError
from runoff.measures import Measure, parse_measure
from runoff.significance._base import is_whole
from runoff.tables.read_only import ReadOnlyArrays
from runoff.tables.serps import Serps


@dataclass(frozen=True, kw_only=True)
class IpsoTheoryResult:
    """The probabilities of the three relations between two random SERPs; they add to 1.

    equal         the same at every rank
    separable     one is non-inferior to the other, and they are not equal
    nonseparable  each is ahead somewhere
    """

    depth: int
    equal: float
    separable: float
    nonseparable: float

    @property
    def non_inferior(self) -> float:
        """The probability that the first is never behind, equality included."""
        return self.separable / 2 + self.equal


def ipso_theory(depth: int) -> IpsoTheoryResult:
    """The relations of two SERPs in which every rank is relevant or not with probability 1/2, independently.

        P(equal) = 2^-k,  P(non-inferior, equal included) = C(2k + 1, k) / 4^k

    The running difference of two such SERPs, read as steps of one half, is a simple random walk of 2k steps looked at
    every second step; C(2k + 1, k) of its 4^k paths are never below zero then. Whole numbers are divided only at the
    end, so that no depth overflows; a probability below the smallest float is 0.

    Moffat & Mackenzie 2024, Table 2, https://doi.org/10.1002/asi.24874, where k of 20 and more are sampled.

    >>> result = ipso_theory(5)
    >>> result.equal, result.separable, result.nonseparable
    (0.03125, 0.83984375, 0.12890625)
    """
    if not is_whole(depth, 1):
        raise UsageError(f"depth {depth!r} cannot be used; expected a whole number of 1 or more; write --depth 20")
    pairs = 4**depth
    equal = 2**depth
    non_inferior = math.comb(2 * depth + 1, depth)
    separable = 2 * (non_inferior - equal)
    return IpsoTheoryResult(
        depth=depth,
        equal=equal / pairs,
        separable=separable / pairs,
        nonseparable=(pairs - separable - equal) / pairs,
    )


DEEPEST: Final = 8
"""2^8 SERPs are 65,536 pairs; each step more is four times as many."""


@dataclass(frozen=True, eq=False, kw_only=True)
class AllSerpsResult(ReadOnlyArrays):
    """The relations between all SERPs of a depth.

    serps      a digit per rank, in the order of the binary numbers: the worst first
    relations  int8, SERPs x SERPs: NS -1, EQUAL 0, NI 1, NONSEPARABLE 2; the row's SERP is the first of the two
    """

    depth: int
    serps: tuple[str, ...]
    relations: NDArray[np.int8]

    @cached_property
    def covers(self) -> NDArray[np.bool_]:
        """bool, SERPs x SERPs: the row's SERP is above the column's, and none is between them."""
        above = self.relations == NI
        steps = above.astype(np.float32)  # counts of SERPs between two, below 2^24: exact
        covers: NDArray[np.bool_] = above & (steps @ steps == 0)
        return covers

    @cached_property
    def steps(self) -> NDArray[np.int64]:
        """int64, SERPs: how many steps lead up from the worst SERP, by the longest way."""
        steps = np.zeros(len(self.serps), dtype=np.int64)
        for place in range(1, len(self.serps)):  # a SERP comes after all that are below it
            steps[place] = 1 + steps[self.covers[place]].max()
        return steps


def relations_of_all(depth: int) -> AllSerpsResult:
    """How all 2^k SERPs of depth k, of relevant or not at each rank, stand to one another.

    Moffat & Mackenzie 2024, Figures 1 to 3, https://doi.org/10.1002/asi.24874

    >>> result = relations_of_all(2)
    >>> result.serps, result.relations.tolist()[2]
    (('00', '01', '10', '11'), [1, 1, 0, -1])
    >>> result.covers.sum(), result.steps.tolist()
    (np.int64(3), [0, 1, 2, 3])
    """
    if not is_whole(depth, 1) or depth > DEEPEST:
        raise UsageError(
            f"depth {depth!r} cannot be used for all SERPs; expected a whole number from 1 to {DEEPEST}; write depth=4"
        )
    states = np.array(list(itertools.product((0, 1), repeat=depth)), dtype=np.int8)
    count = len(states)
    relations = scan(np.repeat(states, count, axis=0), np.tile(states, (count, 1)))[:, -1]
    return AllSerpsResult(
        depth=depth,
        serps=tuple("".join(map(str, state)) for state in states.tolist()),
        relations=relations.reshape(count, count).copy(),
    )


FIGURE_3: Final = (
    ("RBP(p=0.5)", "RBP(p=0.5)"),
    ("RBP(p=0.5)", "nDCG"),
    ("AP", "RBP(p=0.5)"),
    ("AP", "nDCG"),
)
"""Rows and columns of the panes (a) to (d) of the paper's Figure 3."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SerpOrdersResult(ReadOnlyArrays):
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


def in_orders_of(all_serps: AllSerpsResult, rows: Measure | str, columns: Measure | str) -> SerpOrdersResult:
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


def _order(all_serps: AllSerpsResult, chosen: Measure | str) -> NDArray[np.int64]:
    """The places of the SERPs by their scores, the worst first."""
    measure = parse_measure(chosen)
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
    row_signs, column_signs = (np.sign(np.subtract.outer(place, place)) for place in places)
    pairs = len(first) * (len(first) - 1)
    return float((row_signs * column_signs).sum() / pairs)
