"""The result of scoring runs: means, facts about the runs, and a row per query on demand."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.choices import TIE_RULES
from runoff.display import Column, Grid, Shown
from runoff.display.rows import column, each, grid_of, row_class, row_dict, row_of
from runoff.errors import UsageError
from runoff.measures import Measure
from runoff.phrases import counted
from runoff.results.evaluation_rows import EvaluationRows
from runoff.results.fit import Fit, dropped_notes, fit_notes
from runoff.tables.scores import Scores

VALUE: Final = Column("value", "Value", "number")


@dataclass(frozen=True, kw_only=True)
class RunFacts(Fit):
    """What is worth knowing about a run beside its scores, and how it fits the labels.

    extra_queries      queries that only the run has; they are ignored
    unjudged_at_depth  the share of its documents to the depth that have no judgment
    tied_at_depth      queries for which the tie rule decided which document is the last inside the depth
    residuals          per RBP measure, the mean weight of what is not judged: the score could be higher by that much
    """

    extra_queries: int
    unjudged_at_depth: float
    tied_at_depth: int
    residuals: tuple[tuple[str, float], ...] = ()


@row_class
class ScoreRow:
    """The means of a run, and what is worth knowing beside them."""

    run: str = column("Run")
    measures: Mapping[str, float] = each("number")
    residuals: Mapping[str, float] = each(
        "number", name="{}_residual", heading="{} residual", help="What the ranks that are not judged could add."
    )
    missing_queries: int = column("Missing queries", "count", help="Queries the run lacks; they score 0.")
    extra_queries: int
    dropped_duplicates: int
    unjudged_at_depth: float = column("Unjudged", "share", help="Retrieved documents without a judgment.")
    tied_at_depth: int


@dataclass(frozen=True, kw_only=True, eq=False)
class MeansResult(Shown):
    """The means of some runs; the best under the first measure comes first.

    queries  how many queries they are over
    means    per measure, the means of the runs in the order of `facts`
    depth    the number of ranks that were looked at, None for the whole lists
    measure_note  why the measure was chosen, if nobody named one
    """

    qrels: str
    queries: int
    measures: tuple[Measure, ...]
    means: tuple[NDArray[np.float64], ...]
    facts: tuple[RunFacts, ...]
    depth: int | None
    tie_rule: str
    measure_note: str = ""

    @property
    def runs(self) -> tuple[str, ...]:
        """The runs, the best first."""
        return tuple(facts.run for facts in self.facts)

    def mean(self, run: str, measure: str) -> float:
        """The mean of a run under a measure, as results spell it: `AP`, not `map`."""
        measure = str(measure)
        names = [str(measured) for measured in self.measures]
        for kind, name, scored in (("run", run, self.runs), ("measure", measure, names)):
            if name not in scored:
                raise UsageError(
                    f"no {kind} '{name}' was scored; expected one of {', '.join(scored)}; choose one of these"
                )
        return float(self.means[names.index(measure)][self.runs.index(run)])

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff evaluate --format json`."""
        return {
            **row_dict(self, "qrels", "queries", "depth", "tie_rule", "measure_note"),
            "runs": [row_dict(row, without=() if row.residuals else ("residuals",)) for row in self._rows()],
        }

    def brief(self) -> str:
        """How many runs there are, and what the best one earns."""
        best = ", ".join(f"{measure} {means[0]:.4f}" for measure, means in zip(self.measures, self.means, strict=True))
        of = "the run" if len(self.runs) == 1 else f"the best of {len(self.runs):,} runs"
        return f"{self.query_count}; {of} is {self.runs[0]}, {best}"

    def own_formats(self) -> Mapping[str, Callable[[], str]]:
        """What trec_eval and ir_measures print, and JSON Lines: the means alone."""
        rows = EvaluationRows(runs=self.runs, queries=self.queries, measures=self.measures, means=self.means)
        return rows.formats()

    def _rows(self) -> Iterator[ScoreRow]:
        for place, facts in enumerate(self.facts):
            means = {
                str(measure): float(values[place]) for measure, values in zip(self.measures, self.means, strict=True)
            }
            residuals = dict(facts.residuals)
            yield row_of(ScoreRow, facts, measures=means, residuals=residuals, dropped_duplicates=facts.dropped)

    def grid(self) -> Grid:
        """A row per run."""
        best = {str(measure): measure.best for measure in self.measures}
        return grid_of(
            ScoreRow,
            self._rows(),
            title=f"Scores on {self.query_count}",
            notes=self._notes(),
            measures=lambda measure: {"best": best[measure]},
            unjudged_at_depth="Unjudged" if self.depth is None else f"Unjudged@{self.depth}",
        )

    @property
    def query_count(self) -> str:
        """How many queries there are, in words."""
        return counted(self.queries, "query", "queries")

    def _notes(self) -> list[str]:
        where = "whole lists" if self.depth is None else f"to rank {self.depth}"
        notes = [f"Means over {self.query_count} of {self.qrels}, {where}."]
        if self.measure_note:
            notes.append(self.measure_note)
        if any(measure.best == "low" for measure in self.measures):
            notes.append("ESL: lower is better; the mean is over the queries with a relevant document in reach.")
        notes.append(f"Tie rule {self.tie_rule}: {TIE_RULES[self.tie_rule]}{self._ties()}.")
        notes += [*fit_notes(self.facts, self.queries), *dropped_notes(self.facts)]
        extra = [facts.extra_queries for facts in self.facts]
        if any(extra):
            having, most = sum(map(bool, extra)), counted(max(extra), "query", "queries")
            runs = counted(len(extra), "run", "runs")
            notes.append(f"Other queries of the runs are ignored ({having:,} of {runs}, up to {most} each).")
        return notes

    def _ties(self) -> str:
        tied = sum(facts.tied_at_depth for facts in self.facts)
        if self.depth is None or not tied:
            return "" if self.depth is None else f"; there are no ties at rank {self.depth}"
        return f"; it decided what is inside rank {self.depth} for {counted(tied, 'list', 'lists')}"


def best_first(measure: Measure, means: NDArray[np.float64], names: Sequence[str]) -> list[int]:
    """The places of the runs, best mean under the measure first; equal ones by name, undefined ones last."""
    sign = 1.0 if measure.best == "low" else -1.0
    badness = [(math.inf if math.isnan(mean) else sign * mean, name) for mean, name in zip(means, names, strict=True)]
    return sorted(range(len(names)), key=badness.__getitem__)


@dataclass(frozen=True, kw_only=True, eq=False)
class EvaluationResult(MeansResult):
    """The means of some runs, and beside them the score of every query, one table per measure."""

    query_ids: Sequence[str]
    scores: tuple[Scores, ...]

    @property
    def summary(self) -> MeansResult:
        """The same result without the scores of single queries."""
        return MeansResult(**{entry.name: getattr(self, entry.name) for entry in fields(MeansResult)})

    def per_query(self) -> PerQueryResult:
        """The same result with a row for every run, measure and query."""
        return PerQueryResult(evaluation=self)


@dataclass(frozen=True, kw_only=True, eq=False)
class PerQueryResult(Shown):
    """Every score of an evaluation in a row of its own."""

    evaluation: EvaluationResult

    def own_formats(self) -> Mapping[str, Callable[[], str]]:
        """What trec_eval and ir_measures print with -q, and JSON Lines."""
        evaluation = self.evaluation
        rows = EvaluationRows(
            runs=evaluation.runs,
            queries=evaluation.queries,
            measures=evaluation.measures,
            means=evaluation.means,
            scores=evaluation.scores,
        )
        return rows.formats()

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
            title=f"Scores per query, {evaluation.query_count}",
            columns=[*map(Column, ("run", "query", "measure"), ("Run", "Query", "Measure")), VALUE],
            rows=rows,  # plain tuples: there may be millions
            notes=evaluation.grid().notes[1:],
        )

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
