"""The result of scoring runs: means, facts about the runs, and a row per query on demand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from runoff.choices import TIE_RULES
from runoff.display import Column, Grid, Shown, machine_name
from runoff.errors import UsageError
from runoff.measures import Measure
from runoff.phrases import counted
from runoff.results.fit import Fit, dropped_notes, fit_notes
from runoff.tables.scores import Scores


@dataclass(frozen=True, kw_only=True)
class RunFacts:
    """What is worth knowing about a run beside its scores.

    missing_queries    queries that the run has no document for; they score 0
    extra_queries      queries that only the run has; they are ignored
    unjudged_at_depth  the share of its documents to the depth that have no judgment
    tied_at_depth      queries for which the tie rule decided which document is the last inside the depth
    is_whole           whether no list is longer than the depth
    dropped            rows that were dropped because their document is listed twice; duplicates: by which rule
    residuals          per RBP measure, the mean weight of what is not judged: the score could be higher by that much
    """

    run: str
    missing_queries: int
    extra_queries: int
    unjudged_at_depth: float
    tied_at_depth: int
    is_whole: bool = True
    dropped: int = 0
    duplicates: str = "error"
    residuals: tuple[tuple[str, float], ...] = ()

    @property
    def fit(self) -> Fit:
        """How the run fits the labels."""
        return Fit(
            run=self.run,
            missing_queries=self.missing_queries,
            is_judged=self.unjudged_at_depth < 1.0,
            is_whole=self.is_whole,
            dropped=self.dropped,
            duplicates=self.duplicates,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class MeansResult(Shown):
    """The means of some runs; the best under the first measure comes first.

    queries  how many queries they are over
    means    per measure, the means of the runs in the order of `facts`
    depth    the number of ranks that were looked at, None for the whole lists
    """

    qrels: str
    queries: int
    measures: tuple[Measure, ...]
    means: tuple[NDArray[np.float64], ...]
    facts: tuple[RunFacts, ...]
    depth: int | None
    tie_rule: str

    @property
    def runs(self) -> tuple[str, ...]:
        """The runs, the best first."""
        return tuple(facts.run for facts in self.facts)

    def mean(self, run: str, measure: str) -> float:
        """The mean of a run under a measure, as the measure was spelled."""
        names = [str(one) for one in self.measures]
        for what, one, known in (("run", run, self.runs), ("measure", measure, names)):
            if one not in known:
                raise UsageError(
                    f"no {what} '{one}' was scored; expected one of {', '.join(known)}; choose one of these"
                )
        return float(self.means[names.index(measure)][self.runs.index(run)])

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff evaluate --format json`."""
        means = {str(measure): values for measure, values in zip(self.measures, self.means, strict=True)}
        return {
            "qrels": self.qrels,
            "queries": self.queries,
            "depth": self.depth,
            "tie_rule": self.tie_rule,
            "runs": [
                {
                    "run": facts.run,
                    "measures": {name: float(values[place]) for name, values in means.items()},
                    "missing_queries": facts.missing_queries,
                    "extra_queries": facts.extra_queries,
                    "dropped_duplicates": facts.dropped,
                    "unjudged_at_depth": facts.unjudged_at_depth,
                    "tied_at_depth": facts.tied_at_depth,
                    **({"residuals": dict(facts.residuals)} if facts.residuals else {}),
                }
                for place, facts in enumerate(self.facts)
            ],
        }

    def grid(self) -> Grid:
        """A row per run."""
        at = "" if self.depth is None else f"@{self.depth}"
        columns = [Column("run", "Run")]
        columns += [
            Column(machine_name(str(measure)), str(measure), "number", best=measure.best) for measure in self.measures
        ]
        residual_names = [name for name, _ in self.facts[0].residuals]
        more = "What the ranks that are not judged could add."
        columns += [
            Column(f"{machine_name(name)}_residual", f"{name} residual", "number", help=more) for name in residual_names
        ]
        columns += [
            Column("missing_queries", "Missing queries", "count", help="Queries the run lacks; they score 0."),
            Column("unjudged_at_depth", f"Unjudged{at}", "share", help="Retrieved documents without a judgment."),
        ]
        rows = [
            [
                facts.run,
                *(means[place] for means in self.means),
                *(value for _, value in facts.residuals),
                facts.missing_queries,
                facts.unjudged_at_depth,
            ]
            for place, facts in enumerate(self.facts)
        ]
        return Grid(title=f"Scores on {self.told_queries}", columns=columns, rows=rows, notes=self._notes())

    @property
    def told_queries(self) -> str:
        """How many queries there are, in words."""
        return counted(self.queries, "query", "queries")

    def _notes(self) -> list[str]:
        where = "whole lists" if self.depth is None else f"to rank {self.depth}"
        notes = [f"Means over {self.told_queries} of {self.qrels}, {where}."]
        if any(measure.best == "low" for measure in self.measures):
            notes.append("ESL: lower is better; the mean is over the queries with a relevant document in reach.")
        notes.append(f"Tie rule {self.tie_rule}: {TIE_RULES[self.tie_rule]}{self._ties()}.")
        fits = [facts.fit for facts in self.facts]
        notes += fit_notes(fits, self.queries)
        notes += dropped_notes(fits)
        extra = [facts.extra_queries for facts in self.facts]
        if any(extra):
            having, most = sum(map(bool, extra)), counted(max(extra), "query", "queries")
            runs = counted(len(extra), "run", "runs")
            notes.append(f"Queries of a run beside these are ignored ({having:,} of {runs}, up to {most}).")
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
