"""What may be shown where teams do not hold the labels: a few numbers per run and per pair of runs.

Scores are made from labels, so every number that is shown tells something about them. A run that puts its guess for
the i-th query at rank i would read a label per rank from a count by rank. So nothing here is about a query or a rank,
and every number has the digits of its board. A pair of runs has no number of its own: there are many more pairs than
runs, and from the shares of documents that one or both of two runs find, ten runs read every label. Runs whose means
agree to these digits tie, because an exact order would tell a bit with every pair. `LabelBits` says how much all that
can tell: whoever adds a number lets every submission learn more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from runoff.display.grid import Column, Grid
from runoff.display.json_text import render_json
from runoff.display.rows import row_dict

if TYPE_CHECKING:
    from runoff.results.comparison import Comparison

FOUND_HOW: Final = 9
"""More, fewer or not shown; sooner, later or not shown."""
WORDS_OF_PAIR: Final = 4 * FOUND_HOW * 3
"""Better, worse, a trade-off or inconclusive; how; and none, one or two marks."""
WORDS_AGAINST_LEADER: Final = 3 * FOUND_HOW
"""Better, worse or inconclusive, and how."""
WORDS_OF_RECORD: Final = 3
"""No record, a record, or a certified one."""
NUMBERS_OF_RUN: Final = 3
"""Its mean and the two ends of the interval."""
PROTECTED_CHARTS: Final = frozenset({"rank_intervals", "timeline"})
"""Charts of a board: they draw the same means, intervals and possible ranks."""
HIDDEN: Final = (
    "Teams do not hold these labels, or do not know which queries are left out. So a comparison has two rounded means "
    "and a verdict in words: a number for each pair of runs, query or rank would give labels away."
)


@dataclass(frozen=True, kw_only=True)
class ProtectedPair:
    """Two runs compared on hidden labels: all that a page or an answer of the API may say of them.

    means  of the measure: champion, challenger
    how    what the verdict rests on, in words
    """

    champion: str
    challenger: str
    measure: str
    queries: int
    means: tuple[float, float]
    verdict: str
    how: tuple[str, ...]
    marks: str
    alpha: float
    correction: str

    def to_dict(self) -> dict[str, object]:
        """The keys that it shares with `runoff compare --format json`."""
        champion, challenger = self.means
        return {
            **row_dict(self, "champion", "challenger", "queries", "measure"),
            "means": {"champion": champion, "challenger": challenger},
            "verdict": {
                "overall": self.verdict,
                "how": list(self.how),
                **row_dict(self, "marks", "alpha", "correction"),
            },
        }

    def answer(self) -> bytes:
        """The body of the API's answer."""
        return render_json(self.to_dict()).encode()

    def grid(self, digits: int) -> Grid:
        """Both means."""
        columns = [
            Column("number", "Number"),
            Column("champion", self.champion, "number", digits=digits),
            Column("challenger", self.challenger, "number", digits=digits),
        ]
        title = f"{self.challenger} against {self.champion} on {self.queries:,} queries"
        return Grid(title=title, columns=columns, rows=[[f"Mean {self.measure}", *self.means]])


def protected_pair(comparison: Comparison, *, digits: int) -> ProtectedPair:
    """What may be shown of a comparison on hidden labels."""
    verdict = comparison.verdict
    return ProtectedPair(
        champion=comparison.champion,
        challenger=comparison.challenger,
        measure=comparison.measure_name,
        queries=comparison.queries,
        means=(_rounded(comparison.means.champion, digits), _rounded(comparison.means.challenger, digits)),
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


@dataclass(frozen=True, kw_only=True)
class LabelBits:
    """The most that what is shown can tell about labels, in bits.

    Everything counts as if it could have any value, and as if nothing else showed the same.

    digits     of the board
    low, high  between which means are: the range of the measure
    """

    digits: int
    low: float = 0.0
    high: float = 1.0

    def of_run(self) -> float:
        """The numbers of one run: its mean, and both ends of the interval.

        >>> round(LabelBits(digits=1).of_run(), 1), round(LabelBits(digits=3).of_run(), 1)
        (10.4, 29.9)
        """
        return NUMBERS_OF_RUN * math.log2((self.high - self.low) * 10**self.digits + 1)

    def of_pair(self) -> float:
        """What the page of two runs adds to their own numbers: words, whatever the digits.

        The page with champion and challenger exchanged says the same the other way round.

        >>> round(LabelBits(digits=3).of_pair(), 1)
        6.8
        """
        return math.log2(WORDS_OF_PAIR)

    def of_row(self, runs: int) -> float:
        """The words in the row of a run on a board of this many runs, when the board is decided once.

        Its place, among others or tied with one; possible ranks, group, whether it could be the best; words against
        the leader; whether it is a record, and which one it displaced.

        >>> round(LabelBits(digits=3).of_row(1), 1), round(LabelBits(digits=3).of_row(50), 1)
        (8.9, 35.6)
        """
        possible = (2 * runs + 1) * runs * (runs + 1) // 2 * runs * 2 * runs
        return math.log2(possible * WORDS_AGAINST_LEADER * WORDS_OF_RECORD)

    def of_day(self, runs: int) -> float:
        """The verdict on the day of submission: which of the runs before held the record, and words against it."""
        return math.log2(runs * WORDS_OF_PAIR + 1)


def _rounded(value: float, digits: int) -> float:
    return round(value, digits) + 0.0
