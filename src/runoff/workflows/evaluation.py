"""The result of scoring runs: means, facts about the runs, and a row per query on demand."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.errors import UsageError
from runoff.measures import Measure
from runoff.reports import Column, Grid, Shown, machine_name
from runoff.tables.ranking import TIE_RULES
from runoff.tables.scores import Scores


@dataclass(frozen=True, kw_only=True)
class RunFacts:
    """What is worth knowing about a run beside its scores.

    missing_queries    queries that the run has no document for; they score 0
    extra_queries      queries that only the run has; they are ignored
    unjudged_at_depth  the share of its documents to the depth that have no judgment
    tied_at_depth      queries for which the tie rule decided which document is the last inside the depth
    residuals          per RBP measure, the mean weight of what is not judged: the score could be higher by that much
    """

    run: str
    missing_queries: int
    extra_queries: int
    unjudged_at_depth: float
    tied_at_depth: int
    residuals: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class EvaluationResult(Shown):
    """The scores of some runs; the best under the first measure comes first.

    depth is the number of ranks that were looked at, None for the whole lists.
    """

    qrels: str
    query_ids: tuple[str, ...]
    measures: tuple[Measure, ...]
    scores: tuple[Scores, ...]
    facts: tuple[RunFacts, ...]
    depth: int | None
    tie_rule: str

    @property
    def runs(self) -> tuple[str, ...]:
        """The runs, the best first."""
        return tuple(facts.run for facts in self.facts)

    def mean(self, run: str, measure: str) -> float:
        """The mean of a run under a measure, as the measure was spelled."""
        names = [scores.measure for scores in self.scores]
        for what, one, known in (("run", run, self.runs), ("measure", measure, names)):
            if one not in known:
                raise UsageError(
                    f"no {what} '{one}' was scored; expected one of {', '.join(known)}; choose one of these"
                )
        return float(self.scores[names.index(measure)].means[self.runs.index(run)])

    def per_query(self) -> PerQueryResult:
        """The same result with a row for every run, measure and query."""
        return PerQueryResult(evaluation=self)

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff evaluate --format json`."""
        means = {scores.measure: scores.means for scores in self.scores}
        return {
            "qrels": self.qrels,
            "queries": len(self.query_ids),
            "depth": self.depth,
            "tie_rule": self.tie_rule,
            "runs": [
                {
                    "run": facts.run,
                    "measures": {name: float(values[place]) for name, values in means.items()},
                    "missing_queries": facts.missing_queries,
                    "extra_queries": facts.extra_queries,
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
                *(scores.means[place] for scores in self.scores),
                *(value for _, value in facts.residuals),
                facts.missing_queries,
                facts.unjudged_at_depth,
            ]
            for place, facts in enumerate(self.facts)
        ]
        return Grid(title=f"Scores on {self._queries()}", columns=columns, rows=rows, notes=self._notes())

    def _queries(self) -> str:
        return _counted(len(self.query_ids), "query", "queries")

    def _notes(self) -> list[str]:
        where = "whole lists" if self.depth is None else f"to rank {self.depth}"
        notes = [f"Means over {self._queries()} of {self.qrels}, {where}."]
        if any(measure.best == "low" for measure in self.measures):
            notes.append("ESL: lower is better; the mean is over the queries with a relevant document in reach.")
        notes.append(f"Tie rule {self.tie_rule}: {TIE_RULES[self.tie_rule]}{self._ties()}.")
        for what, counts in (
            ("A query that a run lacks scores 0", [facts.missing_queries for facts in self.facts]),
            ("Queries of a run beside these are ignored", [facts.extra_queries for facts in self.facts]),
        ):
            if any(counts):
                having, most = sum(map(bool, counts)), _counted(max(counts), "query", "queries")
                notes.append(f"{what} ({having:,} of {_counted(len(counts), 'run', 'runs')}, up to {most}).")
        strangers = [facts.run for facts in self.facts if facts.missing_queries == len(self.query_ids)]
        if strangers:
            notes.append(
                f"None of these queries is in {', '.join(strangers)}; check that runs and qrels belong together."
            )
        return notes

    def _ties(self) -> str:
        tied = sum(facts.tied_at_depth for facts in self.facts)
        if self.depth is None or not tied:
            return "" if self.depth is None else f"; there are no ties at rank {self.depth}"
        return f"; it decided what is inside rank {self.depth} for {_counted(tied, 'list', 'lists')}"


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
            title=f"Scores per query, {evaluation._queries()}",  # noqa: SLF001
            columns=[Column("run", "Run"), Column("query", "Query"), Column("measure", "Measure"),
                     Column("value", "Value", "number")],
            rows=rows,
            notes=evaluation.grid().notes[1:],
        )  # fmt: skip


def _counted(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"
