"""What may be shown where teams do not hold the labels: a few numbers per run and per pair of runs.

Scores are made from labels, so every number that is shown tells something about them. A run that puts its guess for
the i-th query at rank i would read a label per rank from a count by rank. So nothing here is about a query or a rank,
no count is exact, and every number has the digits of its board. `bits_of_run` and `bits_of_pair` say how much that can
tell: whoever adds a number lets every submission learn more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from runoff.display.grid import Column, Grid
from runoff.display.json_text import render_json

if TYPE_CHECKING:
    from runoff.results.comparison import Comparison

WORDS_OF_PAIR: Final = 4
"""Better, worse or not shown: the verdict, who finds more, who finds sooner; and none, one or two marks."""
SHARES_OF_PAIR: Final = 4
"""Shares of what neither, one or both find, each rounded by itself."""
NUMBERS_OF_RUN: Final = 3
"""Its mean and the two ends of the interval."""
PROTECTED_CHARTS: Final = frozenset({"rank_intervals", "timeline"})
"""Charts of a board: they draw the same means, intervals and possible ranks."""
HIDDEN: Final = (
    "Teams do not hold these labels, or do not know which queries are left out. So shares are rounded, and nothing is "
    "shown by query or by rank."
)


@dataclass(frozen=True, kw_only=True)
class ProtectedPair:
    """Two runs compared on hidden labels: all that a page or an answer of the API may say of them.

    means   of the measure: champion, challenger
    shares  of the relevant documents that neither, one or both find; None where lists are not compared
    how     what the verdict rests on, in words
    """

    champion: str
    challenger: str
    measure: str
    queries: int
    means: tuple[float, float]
    shares: Mapping[str, float] | None
    verdict: str
    how: tuple[str, ...]
    marks: str
    alpha: float
    correction: str

    def to_dict(self) -> dict[str, object]:
        """The keys that it shares with `runoff compare --format json`."""
        champion, challenger = self.means
        return {
            "champion": self.champion,
            "challenger": self.challenger,
            "queries": self.queries,
            "measure": self.measure,
            "means": {"champion": champion, "challenger": challenger},
            "outcomes": None if self.shares is None else {"shares": dict(self.shares)},
            "verdict": {
                "overall": self.verdict,
                "how": list(self.how),
                "marks": self.marks,
                "alpha": self.alpha,
                "correction": self.correction,
            },
        }

    def answer(self) -> bytes:
        """The body of the API's answer."""
        return render_json(self.to_dict()).encode()

    def grid(self, digits: int) -> Grid:
        """Means and shares, a row each."""
        rows: list[list[str | float | None]] = [[f"Mean {self.measure}", *self.means]]
        if self.shares is not None:
            only = "Share of the relevant documents that only this run finds"
            rows.append([only, self.shares["champion_only"], self.shares["challenger_only"]])
        columns = [
            Column("number", "Number"),
            Column("champion", self.champion, "number", digits=digits),
            Column("challenger", self.challenger, "number", digits=digits),
        ]
        title = f"{self.challenger} against {self.champion} on {self.queries:,} queries"
        return Grid(title=title, columns=columns, rows=rows)


def protected_pair(comparison: Comparison, *, digits: int) -> ProtectedPair:
    """What may be shown of a comparison on hidden labels."""
    outcomes, verdict = comparison.outcomes, comparison.verdict
    has_lists = outcomes is not None and bool(outcomes.answerable.any())
    return ProtectedPair(
        champion=comparison.champion,
        challenger=comparison.challenger,
        measure=comparison.measure_name,
        queries=comparison.queries,
        means=(_rounded(comparison.means.champion, digits), _rounded(comparison.means.challenger, digits)),
        shares={name: _rounded(share, digits) for name, share in outcomes.shares.items()}
        if outcomes is not None and has_lists
        else None,
        verdict=verdict.overall,
        how=verdict.how,
        marks=verdict.marks,
        alpha=verdict.policy.alpha,
        correction=verdict.policy.correction,
    )


def protected_grid(grid: Grid) -> Grid:
    """A table of means without its p-values."""
    kept = [place for place, column in enumerate(grid.columns) if column.kind != "p"]
    return replace(
        grid,
        columns=[grid.columns[place] for place in kept],
        rows=[[row[place] for place in kept] for row in grid.rows],
    )


def bits_of_run(digits: int) -> float:
    """The most that the numbers of a run alone can tell about labels, in bits.

    >>> round(bits_of_run(1), 1), round(bits_of_run(3), 1)
    (10.4, 29.9)
    """
    return NUMBERS_OF_RUN * _bits_of_number(digits)


def bits_of_pair(digits: int) -> float:
    """The most that the comparison of two runs can tell beyond their own numbers, in bits.

    >>> round(bits_of_pair(1), 1), round(bits_of_pair(3), 1)
    (20.2, 46.2)
    """
    return SHARES_OF_PAIR * _bits_of_number(digits) + WORDS_OF_PAIR * math.log2(3)


def _bits_of_number(digits: int) -> float:
    """Of a number between 0 and 1 with this many digits."""
    return math.log2(10**digits + 1)


def _rounded(value: float, digits: int) -> float:
    return round(value, digits) + 0.0
