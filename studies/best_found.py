"""How often the truly best document wins, as judgments per pair grow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runoff.preferences import tournament
from studies.assessors import AssessorsConfig, simulate_judgments


@dataclass(frozen=True, kw_only=True)
class BestFound:
    """One pool size and number of judgments per pair.

    alone   share of queries in which the best document wins alone
    among   share in which it is among the winners
    drawn   share in which it is found if one of the winners is drawn at random
    """

    pool: int
    judgments_per_pair: int
    error: float
    queries: int
    alone: float
    among: float
    drawn: float


def best_found(
    pools: Sequence[int], judgments_per_pair: Sequence[int], *, error: float = 0.33, queries: int = 1000, seed: int = 0
) -> tuple[BestFound, ...]:
    """How often the tournament finds the best document, for each pool size and number of judgments per pair.

    33% is the error that Arabzadeh et al. 2021, section 3.2, estimate for their assessors.

    >>> one, = best_found([2], [1], error=0.0, queries=10)
    >>> one.alone
    1.0
    """
    found = []
    for pool in pools:
        for judgments in judgments_per_pair:
            made = simulate_judgments(
                AssessorsConfig(
                    queries=queries, pool=pool, judgments_per_pair=judgments, error=error, assessors=judgments,
                    tests_per_task=0, seed=seed,
                )
            )  # fmt: skip
            result = tournament(made.preferences)
            winners = dict(zip(result.query_ids, result.winners, strict=True))
            hits = [
                len(winners[query_id]) if best in winners[query_id] else 0
                for query_id, best in zip(made.preferences.query_ids, made.best, strict=True)
            ]
            found.append(
                BestFound(
                    pool=pool,
                    judgments_per_pair=judgments,
                    error=error,
                    queries=queries,
                    alone=sum(hit == 1 for hit in hits) / queries,
                    among=sum(hit > 0 for hit in hits) / queries,
                    drawn=sum(1 / hit for hit in hits if hit) / queries,
                )
            )
    return tuple(found)
