"""Where a simulated system puts the first relevant document."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class RankLaw:
    """The exact distribution of the rank of the first relevant document, over all queries that could be asked.

    P(rank = r) is proportional to r^-steepness for r = 1..depth and adds up to `answered`; else nothing is found.

    answered    probability that a relevant document is found within the depth, between 0 and 1 and neither.
    steepness   how strongly the ranks crowd at the top; 0 spreads them evenly.

    >>> RankLaw(answered=0.6, steepness=0.0, depth=3).expected_rr(2)
    0.3
    """

    answered: float
    steepness: float
    depth: int

    def __post_init__(self) -> None:
        if not 0.0 < self.answered < 1.0:
            raise UsageError(f"answered is {self.answered}; expected a probability above 0 and below 1")
        if not self.steepness >= 0.0:
            raise UsageError(f"steepness is {self.steepness}; expected 0 or more")
        if self.depth < 1:
            raise UsageError(f"depth is {self.depth}; expected 1 or more")

    def shares(self) -> NDArray[np.float64]:
        """P(rank = 1), P(rank = 2), ... to the depth."""
        weights = np.arange(1, self.depth + 1, dtype=np.float64) ** -self.steepness
        shares: NDArray[np.float64] = self.answered * weights / weights.sum()
        return shares

    def answered_within(self, cutoff: int) -> float:
        """The probability that a relevant document is found to rank `cutoff`."""
        return float(self.shares()[:cutoff].sum())

    def expected_rr(self, cutoff: int) -> float:
        """The expected reciprocal rank at `cutoff`."""
        return float((self.shares() / np.arange(1, self.depth + 1))[:cutoff].sum())

    def expected_esl(self, cutoff: int) -> float:
        """The expected rank of the first relevant document where one is found to rank `cutoff`."""
        ranks = np.arange(1, self.depth + 1)
        return float((self.shares() * ranks)[:cutoff].sum()) / self.answered_within(cutoff)

    def ranks(self, hardness: NDArray[np.float64]) -> NDArray[np.int64]:
        """The rank for each query of a standard normal hardness; 0 where nothing is found.

        Easy queries get the top ranks: rank r covers the stretch of the normal that has probability P(rank = r). So
        each rank has exactly its probability, and systems with correlated hardness have correlated ranks.
        """
        normal = NormalDist()
        ends = np.array([normal.inv_cdf(share) for share in np.cumsum(self.shares()).tolist()])
        places = np.searchsorted(ends, hardness, side="left")
        return np.where(places < self.depth, places + 1, 0).astype(np.int64)
