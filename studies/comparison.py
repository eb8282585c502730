"""A champion and its challengers on the same queries, whose truth in either facet of a verdict is known exactly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.simulation._streams import COMPARISON, generator
from runoff.simulation.simulated_run import RankLaw
from runoff.tables.serps import UNJUDGED, Serps

Side = Literal[-1, 0, 1]
_SAME: Final = 1e-9  # two expected values that are closer than this are the same
_BELOW_ONE: Final = 1.0 - 2.0**-53


@dataclass(frozen=True, kw_only=True)
class ComparisonConfig:
    """What to simulate.

    champion, challengers   for each run: how likely it answers, and the law of its ranks where it does
    correlation             between two runs, of how hard a query is to answer, and of how hard its answer is to rank
    """

    champion: RankLaw
    challengers: tuple[RankLaw, ...]
    queries: int = 1000
    correlation: float = 0.6
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("the number of challengers", len(self.challengers), 1, 10**4),
            ("queries", self.queries, 1, 10**7),
            ("correlation", self.correlation, 0.0, 1.0),
            ("seed", self.seed, 0, 2**128),
        ):
            if not low <= value <= high:
                raise UsageError(f"{name} is {value}; expected {low} to {high}")


@dataclass(frozen=True, kw_only=True)
class ComparisonTruth:
    """Over all queries that could be drawn: 1 where the challenger is ahead of the champion, -1 behind, 0 neither.

    answered    which run is more likely to answer a query
    earlier     which run has the lower expected ESL where both answer
    symmetric   whether the ranks of both follow one law, so that where both answer no test should find a difference
    """

    answered: Side
    earlier: Side
    symmetric: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class SimulatedComparison:
    """What was drawn, and for each challenger the truth about it."""

    champion: Serps
    challengers: tuple[Serps, ...]
    truths: tuple[ComparisonTruth, ...]


def simulate_comparison(config: ComparisonConfig) -> SimulatedComparison:
    """Draw one set of queries, and what every run earns on it.

    Whether a run answers and how early it would answer are two draws, each shared in part with the other runs, and
    independent of each other:

        a run answers  if  sqrt(c) A + sqrt(1 - c) A' <= the normal quantile of `answered`
        at rank r      if  sqrt(c) R + sqrt(1 - c) R' is in the stretch of the normal that has P(rank = r | answered)

    A and R are standard normals of the query, A' and R' of the query and run, c the correlation. So that both runs
    answer says nothing about their ranks: the queries of *both* follow the laws, and the truth needs no correction for
    having selected them. (`simulate_sparse_board` has one draw for both, where easy queries are answered early, and
    selects.) The truth is that at the full depth; a lower cutoff selects by rank.

    One relevant document per query. Every run has a stream of its own: a challenger more changes no other run.

    >>> even = RankLaw(answered=0.8, steepness=1.0, depth=10)
    >>> more = RankLaw(answered=0.9, steepness=0.5, depth=10)
    >>> comparison = simulate_comparison(ComparisonConfig(champion=even, challengers=(even, more), queries=50))
    >>> comparison.truths[0]
    ComparisonTruth(answered=0, earlier=0, symmetric=True)
    >>> comparison.truths[1]  # answers more queries, and ranks the answers later
    ComparisonTruth(answered=1, earlier=-1, symmetric=False)
    >>> comparison.champion.grades.shape
    (50, 10)
    """
    laws = (config.champion, *config.challengers)
    shared = _normals(config, 0)
    depth = max(law.depth for law in laws)
    names = ("champion", *(f"challenger-{number}" for number in range(1, len(laws))))
    runs = [
        _serps(name, _ranks(law, _mixed(shared, _normals(config, stream), config.correlation)), depth)
        for stream, (name, law) in enumerate(zip(names, laws, strict=True), start=1)
    ]
    truths = tuple(true_signs(config.champion, challenger) for challenger in config.challengers)
    return SimulatedComparison(champion=runs[0], challengers=tuple(runs[1:]), truths=truths)


def true_signs(champion: RankLaw, challenger: RankLaw) -> ComparisonTruth:
    """The truth about a challenger: the signs of the differences of its law and the champion's."""
    same_ranks = (champion.steepness, champion.depth) == (challenger.steepness, challenger.depth)
    return ComparisonTruth(
        answered=_sign(challenger.answered - champion.answered),
        earlier=_sign(champion.expected_esl(champion.depth) - challenger.expected_esl(challenger.depth)),
        symmetric=same_ranks,
    )


def _sign(difference: float) -> Side:
    return 0 if abs(difference) < _SAME else 1 if difference > 0 else -1


def _normals(config: ComparisonConfig, stream: int) -> NDArray[np.float64]:
    """Standard normals, 2 x queries, for answering and for ranking; stream 0 is that of the queries."""
    return generator(config.seed, COMPARISON, stream).standard_normal((2, config.queries))


def _mixed(shared: NDArray[np.float64], own: NDArray[np.float64], correlation: float) -> NDArray[np.float64]:
    mixed: NDArray[np.float64] = np.sqrt(correlation) * shared + np.sqrt(1.0 - correlation) * own
    return mixed


def _ranks(law: RankLaw, hardness: NDArray[np.float64]) -> NDArray[np.int64]:
    """The rank of each query's relevant document; 0 where the run does not answer."""
    answers = hardness[0] <= NormalDist().inv_cdf(law.answered)
    ends = _ends(law.steepness, law.depth)
    return np.where(answers, np.searchsorted(ends, hardness[1], side="left") + 1, 0).astype(np.int64)


@lru_cache(maxsize=256)
def _ends(steepness: float, depth: int) -> NDArray[np.float64]:
    """Where the stretches of the ranks 1 to depth - 1 end; the last rank has the rest."""
    shares = RankLaw(answered=0.5, steepness=steepness, depth=depth).shares() / 0.5
    up_to = np.minimum(np.cumsum(shares)[:-1], _BELOW_ONE)
    ends = np.array([NormalDist().inv_cdf(share) for share in up_to.tolist()])
    ends.setflags(write=False)
    return ends


def _serps(name: str, ranks: NDArray[np.int64], depth: int) -> Serps:
    grades = np.full((len(ranks), depth), UNJUDGED, dtype=np.int8)
    found = np.flatnonzero(ranks)
    grades[found, ranks[found] - 1] = 1
    return Serps(
        run=name,
        query_ids=_query_ids(len(ranks)),
        grades=grades,
        retrieved=np.full(len(ranks), depth, dtype=np.int64),
        judged=np.tile(np.array([0, 1], dtype=np.int64), (len(ranks), 1)),
        depth_tied=np.zeros(len(ranks), dtype=np.bool_),
        tie_rule="trec_eval",
    )


@lru_cache(maxsize=16)
def _query_ids(count: int) -> tuple[str, ...]:
    return tuple(f"q{number}" for number in range(1, count + 1))
