"""The result of comparing a challenger with a champion: the verdict, and the numbers behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from runoff.comparisons import BreakEvenResult, FacetMeans, IpsoResult, OutcomesResult, OutcomeTestsResult
from runoff.comparisons.options import CompareOptions
from runoff.display import Grid, Shown
from runoff.display.bars import share_bar, share_labels
from runoff.display.cells import visible
from runoff.measures import Measure
from runoff.results.break_even_words import break_even_sentences
from runoff.results.comparison_grids import grid_of_tests, ipso_grid, means_grid
from runoff.results.comparison_keys import break_even_keys, ipso_keys, outcome_keys
from runoff.results.comparison_tables import paper_tables
from runoff.results.evidence_grid import evidence_grid
from runoff.results.evidence_table import EvidenceTableResult
from runoff.results.mark_notes import mark_notes
from runoff.results.more_evidence import more_of
from runoff.results.power_table import power_dict, power_grid, unseen_text
from runoff.results.resolution_table import MeasureRow, ResolutionTableResult, measure_rows, pair_resolution
from runoff.significance import BY_NAME, SignificanceResult, permitted
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps
from runoff.verdicts import (
    EvidenceResult,
    MarginVerdict,
    MoreEvidence,
    PairEvidence,
    Power,
    Verdict,
    VerdictResult,
    evidence_of,
    measure_power,
    powers,
)

if TYPE_CHECKING:
    from runoff.display.charts import Chart


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison(Shown):
    """A challenger against a champion; everything is said of the challenger.

    evidence   the runs, the measure's means and test, outcomes and IPSO (None where they are not possible)
    tests      every significance test on the measure, over all queries
    depth      ranks that outcomes and IPSO look at
    measure    the chosen measure; None where only its scores are known
    remarks    what a reader should know beside the numbers
    scores     the two runs' values of the measure on every query
    margin     whether it is no worse than by a margin; None if that was not asked
    serps      the ranked lists of both, and question: what is compared; None where only scores are known
    more       evidence beside the comparison: judgments of people, other queries
    break_even  for whom each run is the better choice; None unless one finds more and the other sooner
    by_query   whether charts may show single queries
    """

    evidence: PairEvidence
    tests: tuple[SignificanceResult, ...]
    verdict: VerdictResult
    depth: int | None = None
    measure: Measure | None = None
    remarks: tuple[str, ...] = ()
    scores: Scores | None = None
    margin: MarginVerdict | None = None
    serps: tuple[Serps, Serps] | None = None
    question: CompareOptions | None = None
    more: MoreEvidence = field(default_factory=MoreEvidence)
    by_query: bool = True
    break_even: BreakEvenResult | None = None

    @cached_property
    def lines(self) -> EvidenceResult:
        """All evidence, line by line."""
        more = more_of(self.serps, self.question, self.more)
        return evidence_of(self.evidence, self.tests, self.verdict.policy, more)

    @cached_property
    def powers(self) -> tuple[Power, ...]:
        """What each facet could have shown with these queries."""
        if self.scores is None:
            return ()
        return powers(self.evidence, self.verdict, *self.scores.values.T)

    @cached_property
    def measure_power(self) -> Power | None:
        """What the measure could have shown; None where that is not known."""
        return None if self.scores is None else measure_power(self.evidence, self.verdict, *self.scores.values.T)

    def resolution_rows(self, difference: float | None = None) -> tuple[MeasureRow, ...]:
        """What each test could have shown, of the chosen measure and of those that were asked for besides it."""
        if self.scores is None or not self.powers:
            return ()
        more = [] if self.question is None or self.serps is None else self.question.also_measures()
        also = [
            Scores(
                measure=str(one),
                query_ids=self.scores.query_ids,
                runs=self.scores.runs,
                values=np.column_stack([one.values(serps) for serps in self.serps or ()]),
            )
            for one in more
        ]
        return measure_rows(
            [self.scores, *also], run=self.challenger, level=self.powers[0].level, difference=difference
        )

    def resolution_table(self, difference: float | None = None) -> ResolutionTableResult:
        """The smallest differences that these queries show, by measure and test; see `runoff compare --resolution`."""
        return pair_resolution([(self.resolution_rows(difference), self.powers)], self.champion, self.queries)

    @property
    def champion(self) -> str:
        """The run to beat."""
        return self.evidence.champion

    @property
    def challenger(self) -> str:
        """The run that claims to be better."""
        return self.evidence.challenger

    @property
    def queries(self) -> int:
        """The number of queries."""
        return self.evidence.queries

    @property
    def measure_name(self) -> str:
        """The measure as it was spelled."""
        return self.evidence.measure

    @property
    def means(self) -> FacetMeans:
        """The mean of the measure for each run."""
        return FacetMeans(champion=self.evidence.means[0], challenger=self.evidence.means[1])

    @property
    def outcomes(self) -> OutcomesResult | None:
        """Which run answers which query, and how early."""
        return self.evidence.outcomes

    @property
    def outcome_tests(self) -> OutcomeTestsResult | None:
        """The tests of the outcomes."""
        return self.evidence.outcome_tests

    @property
    def ipso(self) -> IpsoResult | None:
        """The queries on which every measure must agree."""
        return self.evidence.ipso

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff compare --format json`."""
        found, tested = self.outcomes, self.outcome_tests
        return {
            "champion": self.champion,
            "challenger": self.challenger,
            "queries": self.queries,
            "missing_queries": self._missing_queries(),
            "depth": self.depth,
            "measure": self.measure_name,
            "means": {
                "champion": self.means.champion,
                "challenger": self.means.challenger,
                "difference": self.means.difference,
            },
            "tests": {test.name: self._test_dict(test) for test in self.tests},
            "outcomes": outcome_keys(found, tested) if found and tested else None,
            "facets": {name: facet.to_dict() for name, facet in self.verdict.facets.items()},
            "ipso": None if self.ipso is None else ipso_keys(self.ipso),
            "verdict": self.verdict.to_dict(),
            "break_even": break_even_keys(self.break_even),
            "resolution": self._resolution_dict(),
            "equivalence": None if self.margin is None else self.margin.to_dict(),
            "evidence": self.lines.to_dict(),
            "remarks": list(self.remarks),
        }

    def _missing_queries(self) -> dict[str, int] | None:
        """The queries that each run lacks; None where ranked lists are not known, or nothing is shown by query."""
        if self.serps is None or not self.by_query:
            return None
        return dict(zip(("champion", "challenger"), (one.missing_queries for one in self.serps), strict=True))

    def _resolution_dict(self) -> dict[str, object]:
        rows = self.resolution_rows()
        return {
            **power_dict(self.powers),
            **({"measures": {row.measure: row.to_dict() for row in rows}} if rows else {}),
        }

    def _test_dict(self, test: SignificanceResult) -> dict[str, object]:
        return {
            "statistic": test.statistic,
            "p": test.p,
            "effect": test.effect,
            "effect_name": test.effect_name,
            "effect_ci95": list(test.effect_ci95),
            "n": test.n,
            "permitted": self.is_permitted(test),
        }

    def p_of(self, test: str) -> float | None:
        """The p of a test of the measure, not corrected; None where it was not made."""
        return next((one.p for one in self.tests if one.name == test), None)

    def is_permitted(self, test: SignificanceResult) -> bool | None:
        """Whether the scale of the measure allows a test; None where the measure is not known."""
        return None if self.measure is None else permitted(BY_NAME[test.name], self.measure.scale)

    @property
    def is_better(self) -> bool:
        """Whether the challenger is better."""
        return self.outcome == "better"

    @property
    def is_no_worse(self) -> bool:
        """Whether it is shown to be no worse than by the margin that was asked for."""
        return self.margin is not None and self.margin.no_worse

    @property
    def outcome(self) -> Verdict:
        """The overall verdict."""
        return self.verdict.overall

    @property
    def break_even_sentences(self) -> tuple[str, ...]:
        """For whom each run is the better choice, where it is shown that one finds more and the other sooner."""
        return break_even_sentences(self.break_even) if self.break_even and self.verdict.is_split else ()

    def break_even_charts(self) -> tuple[Chart, ...]:
        """The same as a curve."""
        from runoff.display.charts import BreakEvenCurve

        return (BreakEvenCurve(self.break_even),) if self.break_even and self.verdict.is_split else ()

    @property
    def heading(self) -> str:
        """The verdict in a line."""
        marks = f" {self.verdict.marks}" if self.verdict.marks else ""
        how = f" ({', '.join(self.verdict.how)})" if self.verdict.how else ""
        return f"{self.challenger} against {self.champion}: {self.verdict.overall}{how}{marks}"

    def opening(self, width: int) -> tuple[str, ...]:
        """The verdict, and the outcomes, as a bar where the page is made of characters."""
        paragraphs = [visible(self.heading), visible(self.verdict.sentence)]
        paragraphs += [visible(self.margin.sentence)] if self.margin else []
        unseen = unseen_text(self.powers)
        paragraphs.append(visible(f"{self.lines.sentence} {unseen}".strip()))
        paragraphs += [visible(sentence) for sentence in self.break_even_sentences]
        if self.outcomes is not None and self.outcomes.answerable.any():
            parts = self._outcome_parts(self.outcomes)
            what = "Queries answered" if self.outcomes.is_single else "Relevant documents found"
            title = f"{what} to rank {self.depth}"
            paragraphs.append(
                f"{title}\n{share_bar(parts, width=width)}" if width else f"{title}: {', '.join(share_labels(parts))}."
            )
        return tuple(paragraphs)

    def _outcome_parts(self, found: OutcomesResult) -> list[tuple[str, float]]:
        """The four outcomes: how many queries have each; their average shares where a query has several levels."""
        sizes: Mapping[str, float] = found.counts if found.is_single else found.shares
        names = {"champion_only": f"only {self.champion}", "challenger_only": f"only {self.challenger}"}
        return [(names.get(name, name), size) for name, size in sizes.items()]

    def grid(self) -> Grid:
        """A row per facet: each run's value, the difference and its p-values."""
        return means_grid(self, self.tests)

    def grids(self) -> tuple[Grid, ...]:
        """Means, tests, IPSO, what could have been seen and all evidence; the remarks are below the last."""
        return self._with_remarks(
            self.grid(),
            grid_of_tests(self, self.tests),
            ipso_grid(self),
            power_grid(self.powers),
            *self._also_grids(),
            self._evidence_grid(),
        )

    def screen_grids(self) -> tuple[Grid, ...]:
        """Means, tests and IPSO, which fit one screen; `evidence_table` has the others."""
        return self._with_remarks(self.grid(), grid_of_tests(self, self.tests), ipso_grid(self), *self._also_grids())

    def _also_grids(self) -> tuple[Grid, ...]:
        """What the queries can show by measure and test, where several measures were asked for."""
        if self.question is None or not self.question.also or not self.resolution_rows():
            return ()
        found = self.resolution_table()
        return found.grid(), found.needed_grid()

    def _with_remarks(self, *grids: Grid | None) -> tuple[Grid, ...]:
        *tables, last = (grid for grid in grids if grid is not None)
        notes = (*last.notes, *mark_notes([self.verdict], self.measure_name), *self.remarks)
        return (*tables, replace(last, notes=notes))

    def _evidence_grid(self) -> Grid:
        return evidence_grid(self.lines, self.measure_name)

    def evidence_table(self) -> EvidenceTableResult:
        """All evidence, and what could have been seen, as a result of its own."""
        return EvidenceTableResult(evidence=self.lines, powers=self.powers, measure=self.measure_name)

    def paper_grids(self) -> tuple[Grid, ...]:
        """Significance tests, outcomes and IPSO as the rows of a paper's tables."""
        return paper_tables([self])

    def charts(self) -> tuple[Chart, ...]:
        """Outcomes and IPSO, where they are known, and the differences query by query."""
        from runoff.display.charts import Differences, IpsoStrips, OutcomeBars

        charts: list[Chart] = []
        if self.outcomes is not None:
            charts.append(OutcomeBars([self.outcomes]))
        charts += self.break_even_charts()
        if self.ipso is not None:
            charts.append(IpsoStrips(self.ipso) if self.by_query else IpsoStrips(self.ipso, strips=0))
        if self.scores is not None and self.by_query:
            champion, challenger = self.scores.values.T
            names = self.champion, self.challenger
            low = self.evidence.best_is_low
            charts.append(
                Differences(self.scores.query_ids, champion, challenger, names, self.measure_name, best_is_low=low)
            )
        return tuple(charts)
