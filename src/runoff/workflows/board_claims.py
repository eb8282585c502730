"""What can be claimed of a board: who could be best, what the winner's score is worth, what its queries can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runoff.boards import (
    BestSetResult,
    BoardResolutionResult,
    StabilityResult,
    WinnerResult,
    best_set,
    board_resolution,
    winner,
)
from runoff.tables.scores import Scores, slabs
from runoff.verdicts import Policy
from runoff.verdicts.sight import POWER, rounded
from runoff.workflows.rank_spans import rank_spans


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardClaims:
    """The claims that a board of two runs and two queries at least can make.

    best        the runs that could be best, and for each two runs whether they can be told apart
    winner      the best mean without what picking it added
    resolution  the differences that a comparison of two runs can see
    """

    best: BestSetResult
    winner: WinnerResult
    resolution: BoardResolutionResult

    def could_be_best(self, run: str) -> bool:
        """Whether a run is in the confidence set of the best."""
        return bool(self.best.could_be_best[self.best.runs.index(run)])

    def alike(self, run: str) -> tuple[str, ...]:
        """The other runs that a run cannot be told apart from, for all pairs at once."""
        row = self.best.alike[self.best.runs.index(run)]
        return tuple(name for name, same in zip(self.best.runs, row.tolist(), strict=True) if same and name != run)

    def alike_ranks(self, run: str, order: Sequence[str]) -> str:
        """The same as ranks in an order, such as 1-3, 7."""
        same = set(self.alike(run))
        return rank_spans([rank for rank, name in enumerate(order, start=1) if name in same])

    def to_dict(self) -> dict[str, object]:
        """The keys `best_set`, `winner` and `resolution` of a board in JSON."""
        best, top, seen = self.best, self.winner, self.resolution
        return {
            "best_set": {"level": best.level, "critical": best.critical, "runs": list(best.best)},
            "winner": {
                "run": top.run,
                "score": top.score,
                "optimism": top.optimism,
                "corrected": top.corrected,
                "ci95": list(top.ci95),
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
        """The three claims in words."""
        return self._best_sentence(), self._winner_sentence(), self._resolution_sentence()

    def _best_sentence(self) -> str:
        best, runs = self.best.best, len(self.best.runs)
        sure = f"with {self.best.level:.0%} confidence"
        if len(best) == 1:
            return f"Only {best[0]} could be the best of the {runs:,} runs, {sure}."
        if len(best) == runs:
            return f"Any of the {runs:,} runs could be the best, {sure}."
        return f"{len(best):,} of the {runs:,} runs could be the best, {sure}: {_listed(best)}."

    def _winner_sentence(self) -> str:
        found = self.winner
        low, high = found.ci95
        return (
            f"The score of {found.run}, {found.score:.4f}, was picked as the best of {found.runs:,}; corrected for "
            f"that it is {found.corrected:.4f} (95% interval {low:.4f} to {high:.4f})."
        )

    def _resolution_sentence(self) -> str:
        seen = self.resolution
        text = (
            f"Differences below {seen.smallest:.4f} are seen with less than {seen.power:.0%} power by these "
            f"{seen.queries:,} queries (t test at {seen.level:g}, not corrected, the middle one of "
            f"{_pairs(seen.pairs)})"
        )
        if seen.gap_needed is None:
            return f"{text}."
        lead = f"the lead of {seen.first} over {seen.second}, {seen.gap:.4f},"
        if seen.gap_needed <= seen.queries:
            return f"{text}; {lead} is large enough to be seen."
        return f"{text}; {lead} would need about {rounded(seen.gap_needed):,} queries at that level."


def claims_of(
    scores: Scores, policy: Policy, ranks: StabilityResult, *, best_is_low: bool = False
) -> BoardClaims | None:
    """The claims of a board; None where it has a single run or query, or no two of its runs differ.

    ranks  those of the same scores, whose bootstrap samples serve here, too
    """
    if not have_claims(scores):
        return None
    known = ranks.drawn_means if len(ranks.drawn_means) == ranks.trials else None
    sampling: Any = {"trials": ranks.trials, "seed": ranks.seed, "best_is_low": best_is_low, "drawn": known}
    return BoardClaims(
        best=best_set(scores, level=1.0 - policy.alpha, **sampling),
        winner=winner(scores, **sampling),
        resolution=board_resolution(scores, level=policy.alpha, power=POWER, best_is_low=best_is_low),
    )


def have_claims(scores: Scores) -> bool:
    """Whether a board has two runs and two queries at least, and two of its runs differ somewhere."""
    return min(scores.values.shape) >= 2 and any(np.ptp(slab, axis=1).any() for slab in slabs(scores.values))


def _listed(names: Sequence[str], most: int = 8) -> str:
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _pairs(count: int) -> str:
    return "1 pair" if count == 1 else f"{count:,} pairs"
