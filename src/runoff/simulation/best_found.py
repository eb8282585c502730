"""What a simulated tournament found: the rows that display/charts/best_found.py draws."""

from __future__ import annotations

from dataclasses import dataclass


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
