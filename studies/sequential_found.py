"""How often the truly best document is found, and by how many judgments: in sequence, and by judging all pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.preferences import SequentialPlan
from runoff.simulation._streams import SEQUENTIAL, generator
from runoff.simulation.panel import error_at

_SIDES: Final = {"stays": 1, "replaced": -1, "open": 0}
Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class JudgingError:
    """How often a judgment prefers the worse document: error + (0.5 - error) x closeness^g, g places apart."""

    error: float = 0.33
    closeness: float = 0.0

    def __post_init__(self) -> None:
        for name, high in (("error", 0.5), ("closeness", 1.0)):
            if not 0.0 <= getattr(self, name) <= high:
                raise UsageError(f"{name} is {getattr(self, name)}; expected 0 to {high}")


@dataclass(frozen=True, kw_only=True)
class SearchOutcome:
    """What one way of judging achieved.

    found      share of queries whose best document was found; where several won, one was drawn
    judgments  per query, on average
    found_se, judgments_se  their Monte Carlo standard errors
    """

    queries: int
    found: float
    found_se: float
    judgments: float
    judgments_se: float


def found_in_sequence(
    pool: int, plan: SequentialPlan, *, errs: JudgingError | None = None, queries: int = 1000, seed: int = 0
) -> SearchOutcome:
    """Let each document of some pools, in random order, meet the best known answer, as `runoff.preferences.sequential`.

    >>> found_in_sequence(5, SequentialPlan(), errs=JudgingError(error=0.0), queries=10).found
    1.0
    """
    rng = generator(seed, SEQUENTIAL, 0, pool)
    rank = _drawn(pool, queries, rng)
    most = plan.most_judgments
    decided = np.array(
        [[_SIDES[plan.outcome(kept, lost)] for lost in range(most + 1)] for kept in range(most + 1)], dtype=np.int8
    )
    best, spent = rank[:, 0], np.zeros(queries, dtype=np.int64)
    for candidate in rank.T[1:]:
        prefers_best = _chance_of_first(best, candidate, errs or JudgingError())
        kept, lost = np.zeros((2, queries), dtype=np.int64)
        is_open = decided[kept, lost] == 0
        while is_open.any():
            says_best = rng.random(queries) < prefers_best
            kept += is_open & says_best
            lost += is_open & ~says_best
            spent += is_open
            is_open = decided[kept, lost] == 0
        best = np.where(decided[kept, lost] < 0, candidate, best)
    return _found((best == 0).astype(np.float64), spent)


def found_by_all_pairs(
    pool: int, judgments_per_pair: int, *, errs: JudgingError | None = None, queries: int = 1000, seed: int = 0
) -> SearchOutcome:
    """Judge all pairs of some pools so often, and hold the tournament of `runoff.preferences.tournament`.

    >>> found = found_by_all_pairs(4, 3, errs=JudgingError(error=0.0), queries=10)
    >>> found.found, found.judgments
    (1.0, 18.0)
    """
    rng = generator(seed, SEQUENTIAL, 1, pool, judgments_per_pair)
    one, other = np.triu_indices(pool, 1)  # place = true rank: all pairs are judged, so their order does not matter
    votes = rng.binomial(
        judgments_per_pair, _chance_of_first(one, other, errs or JudgingError()), size=(queries, len(one))
    )
    ahead = np.sign(2 * votes - judgments_per_pair).astype(np.int8)
    half_wins = np.zeros((queries, pool, pool), dtype=np.int8)
    half_wins[:, one, other], half_wins[:, other, one] = 1 + ahead, 1 - ahead
    alive = _winners(half_wins)
    hits = alive[:, 0] / alive.sum(axis=1)
    return _found(hits, np.full(queries, len(one) * judgments_per_pair))


def averaged(found: Mapping[int, SearchOutcome], sizes: Mapping[int, int]) -> SearchOutcome:
    """What was found over pools of several sizes, of which there are so many each.

    found  by pool size; sizes: how many pools of each size there are
    """
    weights = np.array([sizes[pool] for pool in sizes], dtype=np.float64)
    weights /= weights.sum()
    each = [found[pool] for pool in sizes]

    def mean(values: Iterable[float]) -> float:
        return float(weights @ np.fromiter(values, dtype=np.float64))

    def error(values: Iterable[float]) -> float:
        return float(np.sqrt(weights**2 @ np.fromiter(values, dtype=np.float64) ** 2))

    return SearchOutcome(
        queries=sum(one.queries for one in each),
        found=mean(one.found for one in each),
        found_se=error(one.found_se for one in each),
        judgments=mean(one.judgments for one in each),
        judgments_se=error(one.judgments_se for one in each),
    )


def _drawn(pool: int, queries: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """int64, queries x pool: the true rank, 0 for the best, of each candidate in turn."""
    return rng.permuted(np.tile(np.arange(pool), (queries, 1)), axis=1)


def _chance_of_first(one: NDArray[np.int64], other: NDArray[np.int64], errs: JudgingError) -> NDArray[np.float64]:
    """The chance that a judgment prefers the first of two documents of some true ranks."""
    wrong = error_at(np.full(one.shape, errs.error), np.abs(one - other), errs.closeness)
    return np.where(one < other, 1.0 - wrong, wrong)


def _winners(half_wins: NDArray[np.int8]) -> Mask:
    """bool, queries x pool: most wins, counted again among those with as many until nobody drops out."""
    alive = np.ones(half_wins.shape[:2], dtype=np.bool_)
    while True:
        wins = np.where(alive, np.einsum("qij,qj->qi", half_wins, alive, dtype=np.int64), -1)
        stays = wins == wins.max(axis=1, keepdims=True)
        if (stays == alive).all():
            return alive
        alive = stays


def _found(hits: NDArray[np.float64], spent: NDArray[np.int64]) -> SearchOutcome:
    root = np.sqrt(len(hits))
    return SearchOutcome(
        queries=len(hits),
        found=float(hits.mean()),
        found_se=float(hits.std() / root),
        judgments=float(spent.mean()),
        judgments_se=float(spent.std() / root),
    )
