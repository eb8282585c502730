"""ESL for all pairs of many runs: who is earlier where both answer, and what the test says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons._inputs import check_same_ground, check_several
from runoff.measures import ESL
from runoff.significance import SignificanceTest
from runoff.tables.serps import Serps


@dataclass(frozen=True, eq=False, kw_only=True)
class EslPairsResult:
    """ESL in *both* for every pair: element [i, j] has run i as champion and run j as challenger.

    differences  float64, runs x runs: the challenger's mean ESL minus the champion's; below 0 it is earlier, 0 where
                 no query is answered by both
    p            float64, runs x runs: the p of the test, not corrected; 1 where there is nothing to compare
    favours      float64, runs x runs: the side that the test speaks for; above 0 the challenger's ESL is higher
    """

    runs: tuple[str, ...]
    test: str
    differences: NDArray[np.float64]
    p: NDArray[np.float64]
    favours: NDArray[np.float64]

    def __post_init__(self) -> None:
        for array in (self.differences, self.p, self.favours):
            array.setflags(write=False)


def esl_all_pairs(
    serps: Sequence[Serps], test: SignificanceTest, *, cutoff: int | None, level: int = 1
) -> EslPairsResult:
    """The test of ESL in *both*, as in `outcome_tests`, for all pairs of runs; other arguments as in `outcomes`.

    >>> from runoff.comparisons._example import serps_from
    >>> from runoff.significance import PairedT
    >>> runs = [serps_from("10", "00", "01", "10"), serps_from("01", "10", "01", "01")]
    >>> result = esl_all_pairs(runs, PairedT(), cutoff=10)
    >>> result.differences.round(3).tolist(), result.p.round(3).tolist()
    ([[0.0, 0.667], [-0.667, 0.0]], [[1.0, 0.184], [0.184, 1.0]])
    """
    check_several(serps)
    check_same_ground(serps)
    measure = ESL(cutoff=cutoff, rel=level)
    ranks = np.stack([measure.values(one) for one in serps])
    found = ~np.isnan(ranks)
    shape = len(serps), len(serps)
    differences, favours, p = np.zeros(shape), np.zeros(shape), np.ones(shape)
    for i, j in zip(*np.triu_indices(len(serps), 1), strict=True):
        both = found[i] & found[j]
        if not both.any():
            continue
        champion, challenger = ranks[i, both], ranks[j, both]
        result = test.compare(champion, challenger)
        differences[i, j] = challenger.mean() - champion.mean()
        favours[i, j] = result.favours
        p[i, j] = p[j, i] = result.p
    return EslPairsResult(
        runs=tuple(one.run for one in serps),
        test=test.name,
        differences=differences - differences.T,
        p=p,
        favours=favours - favours.T,
    )
