"""What is said of some runs without the scores of single queries: their means, and facts about them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.display import Column, Grid, Shown, machine_name
from runoff.errors import UsageError
from runoff.measures import Measure
from runoff.phrases import counted
from runoff.results.fit import Fit, dropped_notes, fit_notes
from runoff.tables.ranked_lists import TIE_RULES


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
        fits = [Fit.of_facts(facts) for facts in self.facts]
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
