"""Outcomes for all pairs of many runs: who finds more, who finds sooner, and what the tests say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons._inputs import RelevantRanks, check_same_ground, check_several, relevant_ranks
from runoff.significance import MOST_EXACT, SignificanceTest, binomial_p, signed_rank_p, whole_differences
from runoff.tables.serps import Serps

SMALL_RANKS: Final = 128
"""Up to this cutoff, different means of ranks are at least 1 / (128 x 127) apart, which float32 can represent."""


@dataclass(frozen=True, eq=False, kw_only=True)
class OutcomesPairsResult:
    """Both facets of every pair, runs x runs: element [i, j] has run i as champion and run j as challenger.

    queries   the queries that can be answered; of the others nobody can find anything
    more      int64: the queries on which run j finds more than run i
    more_p    float64: p of the sign test of [i, j] against [j, i], not corrected
    sooner    float64: by how much run j is sooner, on average over the queries of which both find a document: run i's
              mean search length minus run j's, or j's mean reciprocal rank minus i's; 0 where there is no such query
    sooner_p  float64: the p of the test, not corrected; 1 where there is nothing to compare
    favours   int8: the side that this test favours: 1 if run j is sooner, -1 if run i is
    """

    runs: tuple[str, ...]
    queries: int
    test: str
    more: NDArray[np.int64]
    more_p: NDArray[np.float64]
    sooner: NDArray[np.float64]
    sooner_p: NDArray[np.float64]
    favours: NDArray[np.int8]


def outcomes_all_pairs(
    serps: Sequence[Serps], test: SignificanceTest, *, cutoff: int | None, level: int = 1, reciprocal: bool = False
) -> OutcomesPairsResult:
    """The facets of `outcome_tests` for all pairs of runs; cutoff and level as in `outcomes`.

    test        of who finds sooner: `SignedRank` or `PairedT`
    reciprocal  compare reciprocal ranks instead of ranks

        with P_A[m] the sum of the first m ranks of run A, m = min(n_A, n_B):  (P_A[m] - P_B[m]) / m  per query

    so a pair takes two look-ups per query, whatever the number of relevant documents.

    >>> from runoff.measures._example import serps_from
    >>> from runoff.significance import PairedT
    >>> runs = [serps_from("10", "00", "01", "10"), serps_from("01", "10", "01", "01")]
    >>> result = outcomes_all_pairs(runs, PairedT(), cutoff=10)
    >>> result.more.tolist(), result.sooner.round(3).tolist(), result.sooner_p.round(3).tolist()
    ([[0, 1], [0, 0]], [[0.0, -0.667], [0.667, 0.0]], [[1.0, 0.184], [0.184, 1.0]])
    """
    check_several(serps)
    check_same_ground(serps)
    lists = [_Sums(relevant_ranks(run, cutoff=cutoff, level=level), reciprocal=reciprocal) for run in serps]
    documents = np.stack([run.found for run in lists])
    more = np.stack([np.count_nonzero(documents > run.found, axis=1) for run in lists])
    small = cutoff is not None and cutoff <= SMALL_RANKS and not reciprocal
    shape = len(lists), len(lists)
    sooner, p, favours = np.zeros(shape), np.ones(shape), np.zeros(shape, dtype=np.int8)
    for i, j in zip(*np.triu_indices(len(lists), 1), strict=True):
        pair = _Pair(lists[i], lists[j])
        if pair.queries:
            sooner[i, j] = pair.lead / pair.queries * (-1.0 if reciprocal else 1.0)
            p[i, j], side = pair.tested(test, small=small)
            favours[i, j] = side if reciprocal else -side
    answerable = (serps[0].relevant(level) > 0) | (documents > 0).any(axis=0)
    return OutcomesPairsResult(
        runs=tuple(run.run for run in serps),
        queries=int(np.count_nonzero(answerable)),
        test=test.name,
        more=more,
        more_p=binomial_p(more, more.T),
        sooner=sooner - sooner.T,
        sooner_p=np.triu(p, 1) + np.triu(p, 1).T + np.eye(len(lists)),
        favours=favours - favours.T,
    )


class _Sums:
    """Sums of the first m ranks of every query of one run, or of one over these, for every m that is found."""

    def __init__(self, ranks: RelevantRanks, *, reciprocal: bool) -> None:
        values = 1.0 / ranks.ranks if reciprocal else ranks.ranks
        begins = ranks.begins + np.arange(len(ranks.found))
        sums: NDArray[Any] = np.zeros(len(values) + len(begins), dtype=values.dtype)
        for level in range(int(ranks.found.max(initial=0))):
            some = ranks.found > level
            sums[begins[some] + level + 1] = sums[begins[some] + level] + values[ranks.begins[some] + level]
        self.sums = sums
        self.begins: NDArray[Any] = begins.astype(np.int32 if len(sums) < 2**31 else np.int64)
        self.found = ranks.found.astype(np.int32)


class _Pair:
    """The queries of which both runs find a document.

    differences  champion minus challenger; 0 where nothing is shared
    lead         the sum of the differences; 0 if it is rounding noise
    """

    def __init__(self, champion: _Sums, challenger: _Sums) -> None:
        shared = np.minimum(champion.found, challenger.found)
        self.shared = np.maximum(shared, 1)
        first, second = (np.take(run.sums, run.begins + shared) for run in (champion, challenger))
        self.sums: tuple[NDArray[Any], NDArray[Any]] = first, second
        self.is_shared = shared > 0
        self.queries = int(np.count_nonzero(self.is_shared))
        self.differences: NDArray[np.float64] = (first - second) / self.shared
        lead = float(self.differences.sum())
        self.lead = 0.0 if abs(lead) <= 1e-12 * float(np.abs(self.differences).sum()) else lead

    def tested(self, test: SignificanceTest, *, small: bool) -> tuple[float, int]:
        """The p of a test of challenger minus champion, and the side that it favours.

        small  whether differences that are equal are so as float32, too
        """
        if test.name == "signed_rank" and self.queries > MOST_EXACT and small:
            return signed_rank_p((-self.differences).astype(np.float32))
        champion, challenger = (rank_sum / self.shared for rank_sum in self.sums)
        if test.name == "signed_rank" and self.queries > MOST_EXACT:
            return signed_rank_p(whole_differences(champion, challenger))
        result = test.compare(champion[self.is_shared], challenger[self.is_shared])
        return result.p, result.favours
