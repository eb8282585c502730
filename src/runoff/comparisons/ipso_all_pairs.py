"""IPSO for all pairs of many runs at one depth: the four counts of every pair, without the scan of every pair."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons._inputs import check_depth, check_same_ground, check_several
from runoff.comparisons.exact_gains import Gain, gain_table, worth_finding
from runoff.comparisons.ipso import gains_of
from runoff.significance import binomial_p
from runoff.tables.read_only import ReadOnlyArrays
from runoff.tables.serps import Serps

Curves = NDArray[np.signedinteger]
_IN_CACHE = 1 << 18  # cells of a difference
_IN_MEMORY = 1 << 26  # bytes of a block of curves


@dataclass(frozen=True, eq=False, kw_only=True)
class IpsoPairsResult(ReadOnlyArrays):
    """The counts of every pair: element [i, j] compares run i, as the first, with run j.

    topics, unanswerable          the queries that can be answered, and how many others there are, which are left out
    most_relevant                 the most documents with a gain that the labels hold for a query
    ns, equal, ni, nonseparable   int64, runs x runs; in each place the four add to `topics`, and
                                  ns is ni with rows and columns swapped
    """

    runs: tuple[str, ...]
    topics: int
    depth: int
    ns: NDArray[np.int64]
    equal: NDArray[np.int64]
    ni: NDArray[np.int64]
    nonseparable: NDArray[np.int64]
    unanswerable: int = 0
    most_relevant: int = 0

    @property
    def is_sign_test_of_rr(self) -> bool:
        """Whether no query has several documents with a gain: then the run ahead is the one with the higher RR."""
        return self.most_relevant == 1

    @property
    def sign_p(self) -> NDArray[np.float64]:
        """The p of the sign test of |ns| = |ni| for every pair, runs x runs, not corrected for their number."""
        return binomial_p(self.ns, self.ni)


def ipso_all_pairs(
    serps: Sequence[Serps], *, depth: int, gains: Sequence[Gain] | None = None, level: int | None = None
) -> IpsoPairsResult:
    """The counts of `ipso` at the depth for all pairs of runs; arguments as there.

    Each run becomes a curve per query, once; a pair is then the highest and the lowest difference of two curves.
    Queries are taken in blocks, so that memory beyond the SERPs does not grow with the number of runs: it is some
    100 MB and the gains of one run.

    Moffat & Mackenzie 2024, Table 3 and Figure 7, https://doi.org/10.1002/asi.24874

    >>> from runoff.measures._example import serps_from
    >>> result = ipso_all_pairs([serps_from("100", "010"), serps_from("011", "000"), serps_from("100", "100")], depth=3)
    >>> result.ni.tolist(), result.nonseparable.tolist()
    ([[0, 1, 0], [0, 0, 0], [1, 1, 0]], [[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    """
    check_several(serps)
    check_same_ground(serps)
    for run in serps:
        check_depth(run, depth)
    table = gain_table(serps, depth=depth, gains=gains, level=level)
    relevant = worth_finding(serps[0], table)
    answerable = np.flatnonzero(relevant)
    topics = len(answerable)
    ahead, both = (np.zeros((len(serps), len(serps)), dtype=np.int64) for _ in range(2))
    for curves in _blocks_of_curves([run.grades[:, :depth] for run in serps], answerable, table, depth):
        for first in range(len(serps) - 1):
            for others, is_ahead, is_behind in _differences(curves, first):
                ahead[first, others] += np.count_nonzero(is_ahead, axis=1)
                ahead[others, first] += np.count_nonzero(is_behind, axis=1)
                both[first, others] += np.count_nonzero(is_ahead & is_behind, axis=1)
    both += both.T
    ni = ahead - both
    return IpsoPairsResult(
        runs=tuple(run.run for run in serps),
        topics=topics,
        depth=depth,
        ns=ni.T.copy(),
        equal=topics - ni - ni.T - both,
        ni=ni,
        nonseparable=both,
        unanswerable=len(relevant) - topics,
        most_relevant=int(relevant.max(initial=0)),
    )


def _blocks_of_curves(
    grades: Sequence[NDArray[np.int8]], answerable: NDArray[np.int64], table: NDArray[np.int64], depth: int
) -> Iterator[Curves]:
    """Blocks of the kept queries: runs x steps x queries of the block, higher is better at every step.

    A curve is either the gain to each rank, or how early each unit of gain is reached (0: never). One SERP has more
    gain to some rank than another exactly where it reaches some unit of gain earlier, so both give the same relations.
    The second is short where relevant documents are few: one step for one of them instead of `depth`.
    """
    most = max(
        int(gains_of(run_grades, table, depth).sum(axis=1, dtype=np.int64).max(initial=0)) for run_grades in grades
    )
    is_short = 2 * most <= depth  # else filling the shorter curve costs more than it saves
    steps = most if is_short else depth
    if not steps:
        return
    kind = np.min_scalar_type(-(1 if is_short else int(table[-1])) * depth - 1)
    block = max(1, min(_IN_CACHE // steps, _IN_MEMORY // (steps * len(grades) * kind.itemsize)))
    fill = _fill_earliness if is_short else _fill_gain_to_rank
    is_whole = len(answerable) == len(grades[0])  # then a slice, which copies nothing
    for begin in range(0, len(answerable), block):
        rows = slice(begin, begin + block) if is_whole else answerable[begin : begin + block]
        curves = np.zeros((len(grades), steps, len(grades[0][rows])), dtype=kind)  # queries last: pairs are row work
        for curve, run_grades in zip(curves, grades, strict=True):
            fill(curve, gains_of(run_grades[rows], table, depth))
        yield curves


def _fill_gain_to_rank(curve: Curves, gains: Curves) -> None:
    """Write the gain to each rank into a curve of zeros, depth x queries; gains are queries x depth."""
    curve[:] = gains.T
    for before, here in itertools.pairwise(curve):  # whole rows: faster than cumsum, which goes cell by cell
        np.add(before, here, out=here)


def _fill_earliness(curve: Curves, gains: Curves) -> None:
    """Write how early each unit of gain is reached into a curve of zeros, units x queries; gains are queries x depth.

    Early is depth at rank 1 and 1 at the last rank; a unit that is never reached stays 0.
    """
    queries, depth = gains.shape
    cells = np.flatnonzero(gains)
    cells = np.repeat(cells, gains.ravel()[cells])  # once for each unit that the cell gains
    rows, columns = np.divmod(cells, depth)
    begins = np.searchsorted(rows, np.arange(queries))
    curve[np.arange(len(rows)) - begins[rows], rows] = depth - columns


def _differences(curves: Curves, first: int) -> Iterator[tuple[slice, NDArray[np.bool_], NDArray[np.bool_]]]:
    """The first run beside the runs after it, some at a time: is it ahead, is it behind; runs x queries."""
    runs, steps, queries = curves.shape
    together = max(1, _IN_CACHE // (steps * queries))
    for begin in range(first + 1, runs, together):
        others = slice(begin, min(begin + together, runs))
        lead = curves[first] - curves[others]
        yield others, lead.max(axis=1) > 0, lead.min(axis=1) < 0
