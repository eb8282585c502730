"""The result of scoring runs: means, facts about the runs, and a row per query on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from runoff.display import Column, Grid, Shown
from runoff.measures import Measure
from runoff.results.evaluation_means import MeansResult, RunFacts
from runoff.tables.scores import Scores


@dataclass(frozen=True, kw_only=True, eq=False)
class EvaluationResult(Shown):
    """The scores of some runs; the best under the first measure comes first.

    depth is the number of ranks that were looked at, None for the whole lists.
    """

    qrels: str
    query_ids: Sequence[str]
    measures: tuple[Measure, ...]
    scores: tuple[Scores, ...]
    facts: tuple[RunFacts, ...]
    depth: int | None
    tie_rule: str

    @property
    def runs(self) -> tuple[str, ...]:
        """The runs, the best first."""
        return self.summary.runs

    @cached_property
    def summary(self) -> MeansResult:
        """The same result without the scores of single queries."""
        return MeansResult(
            qrels=self.qrels,
            queries=len(self.query_ids),
            measures=self.measures,
            means=tuple(scores.means for scores in self.scores),
            facts=self.facts,
            depth=self.depth,
            tie_rule=self.tie_rule,
        )

    def mean(self, run: str, measure: str) -> float:
        """The mean of a run under a measure, as the measure was spelled."""
        return self.summary.mean(run, measure)

    def per_query(self) -> PerQueryResult:
        """The same result with a row for every run, measure and query."""
        return PerQueryResult(evaluation=self)

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff evaluate --format json`."""
        return self.summary.to_dict()

    def grid(self) -> Grid:
        """A row per run."""
        return self.summary.grid()


@dataclass(frozen=True, kw_only=True, eq=False)
class PerQueryResult(Shown):
    """Every score of an evaluation in a row of its own."""

    evaluation: EvaluationResult

    def to_dict(self) -> dict[str, object]:
        """The keys of the evaluation, and `per_query`."""
        names = [column.name for column in self.grid().columns]
        return {
            **self.evaluation.to_dict(),
            "per_query": [dict(zip(names, row, strict=True)) for row in self.grid().rows],
        }

    def grid(self) -> Grid:
        """A row per run, query and measure."""
        evaluation = self.evaluation
        rows: list[tuple[str, str, str, float]] = []
        for place, run in enumerate(evaluation.runs):
            columns = [scores.values[:, place].tolist() for scores in evaluation.scores]
            for row, query_id in enumerate(evaluation.query_ids):
                rows += [
                    (run, query_id, scores.measure, column[row])
                    for scores, column in zip(evaluation.scores, columns, strict=True)
                ]
        return Grid(
            title=f"Scores per query, {evaluation.summary.told_queries}",
            columns=[Column("run", "Run"), Column("query", "Query"), Column("measure", "Measure"),
                     Column("value", "Value", "number")],
            rows=rows,
            notes=evaluation.grid().notes[1:],
        )  # fmt: skip

    def write_parquet(self, folder: Path) -> None:
        """Write the rows into a new folder of Parquet files, without building a table of all of them."""
        from runoff.files.parquet.score_folder import FILE_QUERIES, ScoreFolder

        evaluation = self.evaluation
        with ScoreFolder(folder, [str(measure) for measure in evaluation.measures]) as written:
            for place, run in enumerate(evaluation.runs):
                for first in range(0, len(evaluation.query_ids), FILE_QUERIES):
                    some = slice(first, first + FILE_QUERIES)
                    values = np.column_stack([scores.values[some, place] for scores in evaluation.scores])
                    written.add(run, evaluation.query_ids[some], values)
            written.finish(evaluation.runs)
