"""The conditions of a board: query set, label set and measure, with the scores of all runs under each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from runoff.results.fit import Fit, missing_of
from runoff.tables.board import BoardRun
from runoff.tables.scores import Scores


@dataclass(frozen=True, kw_only=True, eq=False)
class Condition:
    """One query set, label set and measure, and the scores of the runs under them.

    name         those of its parts in which the conditions of the board differ
    measure      at the relevance level of the labels; `asked`: as the board, or whoever asked, names it
    level        the relevance level of the labels
    set_queries  how many queries the query set has; `scores` have those that also have labels
    """

    name: str
    query_set: str
    labels: str
    measure: str
    asked: str
    level: int
    best_is_low: bool
    set_queries: int
    scores: Scores


@dataclass(frozen=True, kw_only=True)
class LabelFits:
    """How the runs fit a label set, and how many queries it has."""

    fits: tuple[Fit, ...]
    queries: int


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoredConditions:
    """All conditions of a board, in the order of measures within labels within query sets.

    runs             the runs that were scored: those with files
    left_out         (query set, label set) that share no query
    fits             by label set, how the runs fit it
    """

    conditions: tuple[Condition, ...] = ()
    runs: tuple[BoardRun, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    fits: Mapping[str, LabelFits] = field(default_factory=dict)

    @property
    def missing_queries(self) -> dict[str, dict[str, int]]:
        """By label set and run, the queries that the run lacks; only where there are some."""
        found = {labels: missing_of(one.fits) for labels, one in self.fits.items()}
        return {labels: counts for labels, counts in found.items() if counts}

    def find(self, query_set: str, labels: str, measure: str) -> Condition | None:
        """The condition of these parts, the measure as it was asked for; None if it was left out."""
        for one in self.conditions:
            if (one.query_set, one.labels, one.asked) == (query_set, labels, measure):
                return one
        return None
