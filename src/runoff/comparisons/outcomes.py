"""Outcomes: which run finds a relevant document, and how early where both do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons._inputs import check_same_ground
from runoff.measures import ESL
from runoff.tables.serps import Serps

OUTCOMES: Final = ("neither", "champion_only", "challenger_only", "both")
"""What can happen to a query; every query has exactly one of them."""


@dataclass(frozen=True, kw_only=True)
class FacetMeans:
    """The mean of one quantity for each run; NaN where there is no query to take it over."""

    champion: float
    challenger: float

    @property
    def difference(self) -> float:
        """Challenger minus champion: below 0 favours the challenger in ESL, above 0 in RR."""
        return self.challenger - self.champion


@dataclass(frozen=True, eq=False, kw_only=True)
class OutcomesResult:
    """The outcome of every query, and the ranks at which each run finds its first relevant document.

    outcome           int8, queries: a place in OUTCOMES
    champion_ranks    float64, queries: the rank of the champion's first relevant document; NaN where it finds none
    challenger_ranks  the same for the challenger
    several_relevant  bool, queries: the labels hold more than one relevant document. The paper's argument is for one;
                      here the first that is found counts.
    """

    champion: str
    challenger: str
    query_ids: Sequence[str]
    cutoff: int | None
    level: int
    outcome: NDArray[np.int8]
    champion_ranks: NDArray[np.float64]
    challenger_ranks: NDArray[np.float64]
    several_relevant: NDArray[np.bool_]

    def __post_init__(self) -> None:
        for array in (self.outcome, self.champion_ranks, self.challenger_ranks, self.several_relevant):
            array.setflags(write=False)

    @property
    def queries(self) -> int:
        """The number of queries."""
        return len(self.query_ids)

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many queries have each outcome, in the order of OUTCOMES; they add to the number of queries."""
        return dict(zip(OUTCOMES, np.bincount(self.outcome, minlength=len(OUTCOMES)).tolist(), strict=True))

    @property
    def shares(self) -> dict[str, float]:
        """The counts as shares of the queries, from 0 to 1; 0 where there are no queries."""
        return {name: count / max(self.queries, 1) for name, count in self.counts.items()}

    @property
    def neither(self) -> int:
        """Queries for which neither run finds a relevant document."""
        return self.counts["neither"]

    @property
    def champion_only(self) -> int:
        """Queries for which only the champion finds one."""
        return self.counts["champion_only"]

    @property
    def challenger_only(self) -> int:
        """Queries for which only the challenger finds one."""
        return self.counts["challenger_only"]

    @property
    def both(self) -> int:
        """Queries for which both runs find one."""
        return self.counts["both"]

    @property
    def in_both(self) -> NDArray[np.bool_]:
        """Per query, whether both runs find a relevant document: only there can ESL be compared."""
        mask: NDArray[np.bool_] = self.outcome == OUTCOMES.index("both")
        return mask

    @cached_property
    def esl(self) -> FacetMeans:
        """The mean ESL of each run in *both*: the rank of the first relevant document, so lower is better."""
        ranks = (self.champion_ranks, self.challenger_ranks)
        champion, challenger = (_mean(one[self.in_both]) for one in ranks)
        return FacetMeans(champion=champion, challenger=challenger)

    @cached_property
    def rr(self) -> FacetMeans:
        """The mean RR of each run in *both*: one over that rank, so higher is better."""
        ranks = (self.champion_ranks, self.challenger_ranks)
        champion, challenger = (_mean(1.0 / one[self.in_both]) for one in ranks)
        return FacetMeans(champion=champion, challenger=challenger)


def outcomes(champion: Serps, challenger: Serps, *, cutoff: int | None, level: int = 1) -> OutcomesResult:
    """The outcome of every query: neither, champion only, challenger only or both find a relevant document.

    MRR@k averages over outcomes that cannot be weighed against each other: how much is finding nothing worse than
    rank 100? Kept apart, the *only* cases can be counted, and in *both* the ranks can be compared.

    Lin et al. 2021, https://doi.org/10.48550/arXiv.2102.12887

    cutoff  the last rank k that counts; None is the whole list
    level   the lowest grade that counts as relevant

    >>> from runoff.comparisons._example import serps_from
    >>> champion = serps_from("100000000", "000000001", "010000000", "000000000")
    >>> challenger = serps_from("000100000", "000001000", "000000000", "000000000")
    >>> result = outcomes(champion, challenger, cutoff=10)
    >>> result.counts
    {'neither': 1, 'champion_only': 1, 'challenger_only': 0, 'both': 2}
    >>> result.esl, round(result.rr.champion, 3), round(result.rr.challenger, 3)
    (FacetMeans(champion=5.0, challenger=5.0), 0.556, 0.208)
    """
    check_same_ground((champion, challenger))
    first_found = ESL(cutoff=cutoff, rel=level)
    champion_ranks, challenger_ranks = first_found.values(champion), first_found.values(challenger)
    found = ~np.isnan(champion_ranks), ~np.isnan(challenger_ranks)
    return OutcomesResult(
        champion=champion.run,
        challenger=challenger.run,
        query_ids=champion.query_ids,
        cutoff=cutoff,
        level=level,
        outcome=found[0].astype(np.int8) + 2 * found[1].astype(np.int8),
        champion_ranks=champion_ranks,
        challenger_ranks=challenger_ranks,
        several_relevant=champion.relevant(level) > 1,
    )


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if values.size else float("nan")
