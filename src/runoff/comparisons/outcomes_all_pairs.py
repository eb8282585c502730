"""Outcomes for all pairs of many runs: four counts per pair from one matrix product."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons._inputs import check_same_ground, check_several
from runoff.measures import Success
from runoff.tables.serps import Serps


@dataclass(frozen=True, eq=False, kw_only=True)
class OutcomesPairsResult:
    """The counts of every pair: element [i, j] has run i as champion and run j as challenger.

    neither, champion_only, challenger_only, both   int64, runs x runs; in each place the four add to the number of
                                                    queries, and challenger_only is champion_only transposed
    """

    runs: tuple[str, ...]
    queries: int
    neither: NDArray[np.int64]
    champion_only: NDArray[np.int64]
    challenger_only: NDArray[np.int64]
    both: NDArray[np.int64]

    def __post_init__(self) -> None:
        for array in (self.neither, self.champion_only, self.challenger_only, self.both):
            array.setflags(write=False)


def outcomes_all_pairs(serps: Sequence[Serps], *, cutoff: int | None, level: int = 1) -> OutcomesPairsResult:
    """The counts of `outcomes` for all pairs of runs; arguments as there.

        both = F F',  F the matrix of found (1) or not (0), runs x queries

    >>> from runoff.comparisons._example import serps_from
    >>> result = outcomes_all_pairs([serps_from("10", "00", "01"), serps_from("01", "10", "00")], cutoff=10)
    >>> result.both.tolist(), result.champion_only.tolist()
    ([[2, 1], [1, 2]], [[0, 1], [1, 0]])
    """
    check_several(serps)
    check_same_ground(serps)
    measure = Success(cutoff=cutoff, rel=level)
    found = np.stack([measure.values(one) for one in serps])
    both = np.rint(found @ found.T).astype(np.int64)  # whole numbers below 2^53: exact
    champion_only = np.diag(both)[:, None] - both
    queries = len(serps[0].query_ids)
    return OutcomesPairsResult(
        runs=tuple(one.run for one in serps),
        queries=queries,
        neither=queries - both - champion_only - champion_only.T,
        champion_only=champion_only,
        challenger_only=champion_only.T.copy(),
        both=both,
    )
