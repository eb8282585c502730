"""What can be claimed of a board: the winner's corrected score, what its queries can detect, and what its runs cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from runoff.boards import BoardPower, WinnerResult
from runoff.phrases import counted, listed
from runoff.verdicts.power import about_queries

ROUGH: Final = (
    "Its scores are piled up at one end and the queries are few: such intervals hold the truth in 90 to 97% of "
    "simulated boards."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardClaims:
    """The claims that a board of two runs and two queries at least can make.

    winner      the best mean without what picking it added
    resolution  the differences that a comparison of two runs can detect
    """

    winner: WinnerResult
    resolution: BoardPower

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
            f"({seen.power:.0%} power, t test at {seen.level:g}, median of {counted(seen.pairs, 'pair')})."
        )
        if seen.gap_needed is None:
            return text
        lead = f"The lead of {seen.first} over {seen.second}, {seen.gap:.4f},"
        if seen.gap_needed <= seen.queries:
            return f"{text} {lead} is large enough to be detected."
        return f"{text} {lead} would need {about_queries(seen.gap_needed)}."


@dataclass(frozen=True, kw_only=True)
class BoardCosts:
    """The costs that a board.toml names, and the runs that no other run beats on the mean and on all of them.

    names     what the costs are called, in the order in which the runs name them
    values    for each run by name, its costs; None where it names none
    frontier  for each run with all costs, whether no other such run is as good in everything and better in something
    """

    names: tuple[str, ...]
    values: Mapping[str, tuple[float | None, ...]]
    frontier: Mapping[str, bool]

    def sentence(self) -> str:
        """Which runs are on the frontier."""
        best = [name for name, free in self.frontier.items() if free]
        what = f"{', '.join(['the mean', *self.names[:-1]])} and {self.names[-1]}"
        if not best:
            return f"No run names all of its costs ({', '.join(self.names)})."
        runs = "1 run is" if len(best) == 1 else f"{len(best):,} runs are"
        if len(best) == len(self.frontier):
            which = "The one run" if len(best) == 1 else f"Each of the {len(best):,} runs"
            return f"{which} with known costs is on the frontier of {what}."
        return (
            f"{runs} on the frontier of {what}, out of {len(self.frontier):,} with known costs: "
            f"{', '.join(best)}; for each of the others some run is at least as good and as cheap."
        )
