"""What can be claimed of a board: who could be best, what the winner's score is worth, what its queries can detect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runoff.boards import (
    BoardResolutionResult,
    RankSetsResult,
    StabilityResult,
    WinnerResult,
    board_resolution,
    winner,
)
from runoff.phrases import listed
from runoff.tables.scores import Scores, slabs
from runoff.verdicts import Policy
from runoff.verdicts.power import POWER, about_queries

ROUGH: Final = (
    "Its scores are piled up at one end and the queries are few: such intervals hold the truth in 90 to 97% of "
    "simulated boards."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardClaims:
    """The claims that a board of two runs and two queries at least can make.

    decisions   which runs are above which, for all pairs at once
    winner      the best mean without what picking it added
    resolution  the differences that a comparison of two runs can detect
    """

    decisions: RankSetsResult
    winner: WinnerResult
    resolution: BoardResolutionResult

    def to_dict(self) -> dict[str, object]:
        """The keys `winner` and `resolution` of a board in JSON."""
        top, seen = self.winner, self.resolution
        return {
            "winner": {
                "run": top.run,
                "names": list(top.names),
                "score": top.score,
                "optimism": top.optimism,
                "corrected": top.corrected,
                "ci95": list(top.ci95),
                "is_rough": top.is_rough,
            },
            "resolution": {
                "test": "t",
                "level": seen.level,
                "power": seen.power,
                "pairs": seen.pairs,
                "smallest": seen.smallest,
                "smallest_range": [seen.easy, seen.hard],
                "first": seen.first,
                "second": seen.second,
                "gap": seen.gap,
                "gap_smallest": seen.gap_smallest,
                "gap_needed_queries": seen.gap_needed,
            },
        }

    def sentences(self) -> tuple[str, ...]:
        """The winner's score and the resolution in words; nothing is detected where no difference varies."""
        return (self._winner_sentence(), *([self._resolution_sentence()] if self.resolution.smallest else []))

    def _winner_sentence(self) -> str:
        found = self.winner
        low, high = found.ci95
        text = (
            f"The score of {listed(found.names)}, {found.score:.4f}, was picked as the best of {found.runs:,}; "
            f"corrected for that it is {found.corrected:.4f} (95% interval {low:.4f} to {high:.4f})."
        )
        return f"{text} {ROUGH}" if found.is_rough else text

    def _resolution_sentence(self) -> str:
        seen = self.resolution
        text = (
            f"With {seen.queries:,} queries, differences below {seen.smallest:.4f} usually go undetected "
            f"({seen.power:.0%} power, t test at {seen.level:g}, median of {_pairs(seen.pairs)})."
        )
        if seen.gap_needed is None:
            return text
        lead = f"The lead of {seen.first} over {seen.second}, {seen.gap:.4f},"
        if seen.gap_needed <= seen.queries:
            return f"{text} {lead} is large enough to be detected."
        return f"{text} {lead} would need {about_queries(seen.gap_needed)}."


def claims_of(
    scores: Scores, policy: Policy, ranks: StabilityResult, decisions: RankSetsResult, *, best_is_low: bool = False
) -> BoardClaims | None:
    """The claims of a board; None where it has a single run or query, or no two of its runs differ.

    ranks  those of the same scores, whose bootstrap samples serve here, too
    """
    if not have_claims(scores):
        return None
    known = ranks.drawn_means if len(ranks.drawn_means) == ranks.trials else None
    sampling: Any = {"trials": ranks.trials, "seed": ranks.seed, "best_is_low": best_is_low, "drawn": known}
    return BoardClaims(
        decisions=decisions,
        winner=winner(scores, **sampling),
        resolution=board_resolution(scores, level=policy.alpha, power=POWER, best_is_low=best_is_low),
    )


def have_claims(scores: Scores) -> bool:
    """Whether a board has two runs and two queries at least, and two of its runs differ somewhere."""
    return min(scores.values.shape) >= 2 and any(np.ptp(slab, axis=1).any() for slab in slabs(scores.values))


def _pairs(count: int) -> str:
    return "1 pair" if count == 1 else f"{count:,} pairs"
