"""What of the runs was judged: unjudged documents near the top, missing queries, lists cut by the tie rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from runoff.display import Column, Grid, Shown
from runoff.results.fit import Fit, dropped_notes
from runoff.tables.serps import Serps

TOP: Final = 10
"""Ranks that people look at."""


@dataclass(frozen=True, kw_only=True)
class RunLabels:
    """One run: shares of its documents at rank 1 and to rank 10 without a judgment, and its gaps."""

    run: str
    unjudged_first: float
    unjudged_top: float
    missing_queries: int
    tied_lists: int
    dropped_duplicates: int


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelFactsResult(Shown):
    """The labels of a board and its runs; the best run comes first.

    relevant  relevant documents per query, on average; without  queries that have none
    remarks   on rows that were dropped
    """

    runs: tuple[RunLabels, ...]
    queries: int
    relevant: float
    without: int
    depth: int
    tie_rule: str
    remarks: tuple[str, ...] = ()

    @property
    def unjudged(self) -> float:
        """The share of the runs' top documents that nobody judged, in the mean over the runs."""
        return float(np.mean([one.unjudged_top for one in self.runs]))

    def to_dict(self) -> dict[str, object]:
        """The numbers of every run."""
        return {
            "queries": self.queries,
            "relevant_per_query": self.relevant,
            "queries_without_relevant": self.without,
            "unjudged": self.unjudged,
            "runs": [vars(one) for one in self.runs],
        }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """How much is unjudged, and what that means."""
        first = self.runs[0]
        said = (
            f"Nobody judged {self.unjudged:.1%} of the documents that the runs place in the top {TOP}; of those that "
            f"{first.run}, the leader, places first it is {first.unjudged_first:.1%}."
        )
        known = f"The labels know {self.relevant:.2f} relevant documents for a query on average"
        known += f"; {self.without:,} of {self.queries:,} queries have none." if self.without else "."
        return said, f"{known} An unjudged document counts as not relevant."

    def grid(self) -> Grid:
        """A row per run."""
        return Grid(
            title="What was judged, and what runs lack",
            columns=[
                Column("run", "Run"),
                Column("unjudged_1", "Unjudged at rank 1", "share"),
                Column("unjudged_10", f"Unjudged to rank {TOP}", "share"),
                Column("missing_queries", "Missing queries", "count"),
                Column("tied_lists", "Lists cut by the tie rule", "count"),
            ],
            rows=[
                [one.run, one.unjudged_first, one.unjudged_top, one.missing_queries, one.tied_lists]
                for one in self.runs
            ],
            notes=[
                f"Shares of the documents that a run retrieved for {self.queries:,} queries.",
                (
                    f"A missing query scores 0. The tie rule {self.tie_rule} decided which of two documents with "
                    f"the same score is the last one within rank {self.depth}."
                ),
                *self.remarks,
            ],
        )


def label_facts(serps: Sequence[Serps], order: Sequence[int], *, level: int = 1) -> LabelFactsResult:
    """What is judged of some runs, in the given order of their places."""
    relevant = serps[0].relevant(level)
    return LabelFactsResult(
        runs=tuple(
            RunLabels(
                run=one.run,
                unjudged_first=one.unjudged_share(1),
                unjudged_top=one.unjudged_share(TOP),
                missing_queries=one.missing_queries,
                tied_lists=int(one.depth_tied.sum()),
                dropped_duplicates=one.dropped,
            )
            for one in (serps[place] for place in order)
        ),
        queries=len(relevant),
        relevant=float(relevant.mean()),
        without=int((relevant == 0).sum()),
        depth=serps[0].depth,
        tie_rule=serps[0].tie_rule,
        remarks=tuple(dropped_notes([Fit.of_serps(serps[place]) for place in order])),
    )
