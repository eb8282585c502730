"""How much of the runs is judged: unjudged documents near the top, missing queries, lists cut by the tie rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from runoff.display import Grid, Shown
from runoff.display.rows import column, grid_of, row_class, row_dict

TOP: Final = 10
"""Ranks that people look at."""


@row_class
class RunLabels:
    """One run: shares of its documents at rank 1 and to rank 10 without a judgment, and its gaps."""

    run: str = column("Run")
    unjudged_first: float = column("Unjudged at rank 1", "share")
    unjudged_top: float = column(f"Unjudged to rank {TOP}", "share")
    missing_queries: int = column("Missing queries", "count")
    tied_lists: int = column("Lists cut by the tie rule", "count")
    dropped_duplicates: int


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelFactsResult(Shown):
    """The labels of a board and its runs; the best run comes first.

    unjudged  the share of the runs' top documents that nobody judged, on average over the runs
    relevant  relevant documents per query, on average; without  queries that have none
    remarks   on rows that were dropped
    """

    runs: tuple[RunLabels, ...]
    unjudged: float
    queries: int
    relevant: float
    without: int
    depth: int
    tie_rule: str
    remarks: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """The numbers of every run."""
        return {
            "queries": self.queries,
            "relevant_per_query": self.relevant,
            "queries_without_relevant": self.without,
            "unjudged": self.unjudged,
            "runs": [row_dict(run) for run in self.runs],
        }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """How much is unjudged, and what that means."""
        first = self.runs[0]
        unjudged = (
            f"{self.unjudged:.1%} of the documents in the top {TOP} of the runs are unjudged, and "
            f"{first.unjudged_first:.1%} of those that the leader, {first.run}, ranks first."
        )
        relevant = f"The labels have {self.relevant:.2f} relevant documents per query on average"
        relevant += f"; {self.without:,} of {self.queries:,} queries have none." if self.without else "."
        return unjudged, f"{relevant} An unjudged document counts as not relevant."

    def grid(self) -> Grid:
        """A row per run."""
        return grid_of(
            RunLabels,
            self.runs,
            title="Unjudged documents and missing queries",
            notes=[
                f"Shares of the documents that a run retrieved for {self.queries:,} queries.",
                (
                    f"A missing query scores 0. The tie rule {self.tie_rule} decided which of two documents with "
                    f"the same score is the last one within rank {self.depth}."
                ),
                *self.remarks,
            ],
        )
