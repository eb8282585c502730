"""The result of comparing a challenger with a champion: the verdict, and the numbers behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from runoff.comparisons import BreakEven, BreakEvenResult, FacetMeans, IpsoResult, OutcomesResult, OutcomeTestsResult
from runoff.display import Grid, Shown
from runoff.display.grid import visible
from runoff.display.rows import row_dict
from runoff.display.text_pictures import share_bar, share_labels
from runoff.errors import UsageError
from runoff.measures import Measure
from runoff.results.comparison_tables import (
    grid_of_tests,
    ipso_grid,
    ipso_row,
    mark_notes,
    means_grid,
    outcome_keys,
    paper_tables,
)
from runoff.results.evidence import EvidenceTableResult, evidence_grid
from runoff.results.power import (
    PowerRow,
    ResolutionTableResult,
    pair_resolution,
    power_dict,
    power_grid,
    unseen_text,
)
from runoff.results.systems_table import SystemsTable, grids_for_paper
from runoff.significance import SignificanceResult
from runoff.tables.scores import Scores
from runoff.verdicts import EvidenceResult, FacetPower, MarginVerdict, PairEvidence, Verdict, VerdictResult

if TYPE_CHECKING:
    from runoff.display.charts import Chart


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison(Shown):
    """A challenger against a champion; everything is said of the challenger. Showing it computes nothing.

    evidence     all numbers of the pair: means, tests, outcomes and IPSO (None where they are not possible), remarks
    means        the mean of the measure for each run
    verdict      what is decided
    lines        all evidence, line by line; None if it was not requested
    powers       what each facet could have shown with these queries; of a pair of a board, the measure alone
    power_rows   what each test could have shown, of the chosen measure and of those that were asked for besides it
    margin       whether it is no worse than by a margin; None if that was not asked
    table        both runs under all measures; None of two runs under one measure, of a pair of a board, and of one of
                 several challengers
    by_query     whether charts may show single queries
    """

    evidence: PairEvidence
    means: FacetMeans
    verdict: VerdictResult
    lines: EvidenceResult | None = None
    powers: tuple[FacetPower, ...] = ()
    power_rows: tuple[PowerRow, ...] = ()
    margin: MarginVerdict | None = None
    table: SystemsTable | None = None
    by_query: bool = True

    @property
    def measure_power(self) -> FacetPower | None:
        """What the measure could have shown; None where that is not known."""
        return next((power for power in self.powers if power.facet == "measure"), None)

    def resolution_table(self) -> ResolutionTableResult:
        """The smallest differences that these queries show, by measure and test; see `runoff compare --resolution`."""
        return pair_resolution([(self.power_rows, self.powers)], self.champion, self.queries)

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
    def depth(self) -> int | None:
        """Ranks that outcomes and IPSO look at."""
        return self.evidence.depth

    @property
    def measure(self) -> Measure | None:
        """The chosen measure; None where only its scores are known."""
        return self.evidence.chosen

    @property
    def measure_name(self) -> str:
        """The measure as it was spelled."""
        return self.evidence.measure

    @property
    def measure_note(self) -> str:
        """Why the measure was chosen, if nobody named one."""
        return self.evidence.measure_note

    @property
    def tests(self) -> tuple[SignificanceResult, ...]:
        """Every significance test on the measure, over all queries."""
        return self.evidence.tests

    @property
    def scores(self) -> Scores | None:
        """The two runs' values of the measure on every query."""
        return self.evidence.scores

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

    @property
    def break_even(self) -> BreakEvenResult | None:
        """For whom each run is the better choice; None unless one finds more and the other sooner."""
        return self.evidence.break_even

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader should know beside the numbers."""
        note = self.measure_note
        return (*self.evidence.remarks, *([note] if note else []), *self.evidence.ipso_remarks)

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff compare --format json`."""
        outcomes, tests, missing = self.outcomes, self.outcome_tests, self.evidence.missing_queries
        return {
            **row_dict(self, "champion", "challenger", "queries"),
            "missing_queries": dict(zip(("champion", "challenger"), missing, strict=True)) if missing else None,
            "depth": self.depth,
            "measure": self.measure_name,
            "measure_note": self.measure_note,
            "means": {
                **row_dict(self.means, "champion", "challenger", "difference"),
            },
            "tests": {test.name: self._test_dict(test) for test in self.tests},
            "outcomes": outcome_keys(outcomes, tests) if outcomes and tests else None,
            "facets": {name: facet.to_dict() for name, facet in self.verdict.facets.items()},
            "ipso": None if self.ipso is None else row_dict(ipso_row(self.ipso)),
            "verdict": self.verdict.to_dict(),
            "break_even": [
                row_dict(change, "results", "ci95") for change in (self.break_even.changes if self.break_even else ())
            ],
            "resolution": self._resolution_dict(),
            "equivalence": None if self.margin is None else self.margin.to_dict(),
            "evidence": None if self.lines is None else self.lines.to_dict(),
            "remarks": list(self.remarks),
            **(self.table.to_dict() if self.table else {}),
        }

    def _resolution_dict(self) -> dict[str, object]:
        measures = {row.subject: row.to_dict() for row in self.power_rows}
        return {**power_dict(self.powers), **({"measures": measures} if measures else {})}

    def _test_dict(self, test: SignificanceResult) -> dict[str, object]:
        return {
            **row_dict(test, "statistic", "p", "effect", "effect_name"),
            "effect_ci95": list(test.effect_ci95),
            "n": test.n,
            "permitted": self.is_permitted(test),
        }

    def p_of(self, test: str) -> float | None:
        """The p of a test of the measure, not corrected; None where it was not made."""
        return self.evidence.p_of(test)

    def is_permitted(self, test: SignificanceResult) -> bool | None:
        """Whether the scale of the measure allows a test; None where the measure is not known."""
        permitted = self.evidence.permitted
        return None if permitted is None else permitted[test.name]

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
        break_even = self.evidence.break_even
        return break_even_sentences(break_even) if break_even and self.verdict.is_split else ()

    def break_even_charts(self) -> tuple[Chart, ...]:
        """The same as a curve."""
        from runoff.display.charts import BreakEvenCurve

        return (BreakEvenCurve(self.break_even),) if self.break_even and self.verdict.is_split else ()

    @property
    def heading(self) -> str:
        """The verdict in a line."""
        pair, verdict = self.evidence, self.verdict
        marks = f" {verdict.marks}" if verdict.marks else ""
        how = f" ({', '.join(verdict.how)})" if verdict.how else ""
        return f"{pair.challenger} against {pair.champion}: {verdict.overall}{how}{marks}"

    def opening(self, width: int) -> tuple[str, ...]:
        """The verdict, and the outcomes, as a bar where the page is made of characters."""
        paragraphs = [visible(self.heading), visible(self.verdict.sentence)]
        paragraphs += [visible(self.margin.sentence)] if self.margin else []
        evidence = self.lines.sentence if self.lines else ""
        paragraphs.append(visible(f"{evidence} {unseen_text(self.powers)}".strip()))
        paragraphs += [visible(sentence) for sentence in self.break_even_sentences]
        pair, outcomes = self.evidence, self.evidence.outcomes
        if outcomes is not None and outcomes.answerable.any():
            # How many queries have each outcome; their average shares where a query has several levels.
            is_single = outcomes.is_single
            sizes: Mapping[str, float] = outcomes.counts if is_single else outcomes.shares
            names = {"champion_only": f"only {pair.champion}", "challenger_only": f"only {pair.challenger}"}
            parts = [(names.get(name, name), size) for name, size in sizes.items()]
            counted = "Queries answered" if is_single else "Relevant documents found"
            title = f"{counted} to rank {pair.depth}"
            paragraphs.append(
                f"{title}\n{share_bar(parts, width=width)}" if width else f"{title}: {', '.join(share_labels(parts))}."
            )
        return tuple(paragraphs)

    def brief(self) -> str:
        """The verdict."""
        return self.verdict.sentence

    def grid(self) -> Grid:
        """Each run's value, the difference and its p-values; where there are several measures, the table of scores."""
        return self.table.grid() if self.table and self.table.is_of_several else means_grid(self.evidence)

    def grids(self) -> tuple[Grid, ...]:
        """Means, tests, IPSO, the smallest detectable differences and all evidence; the remarks are below the last."""
        evidence = evidence_grid(self.lines, self.measure_name) if self.lines else None
        return self._tables(power_grid(self.powers), evidence)

    def screen_grids(self) -> tuple[Grid, ...]:
        """Means, tests and IPSO, which fit one screen; `evidence_table` has the others."""
        return self._tables()

    def _tables(self, power: Grid | None = None, evidence: Grid | None = None) -> tuple[Grid, ...]:
        tables = [means_grid(self.evidence), grid_of_tests(self.evidence), ipso_grid(self.evidence), power]
        if self.table and self.table.is_of_several:
            tables.insert(0, self.table.grid_beside_verdicts())
        *first, last = (grid for grid in (*tables, evidence) if grid is not None)
        notes = (*last.notes, *mark_notes([self.verdict], self.evidence.measure), *self.remarks)
        return (*first, replace(last, notes=notes))

    def evidence_table(self) -> EvidenceTableResult:
        """All evidence, and the smallest detectable differences, as a result of its own."""
        if self.lines is None:
            raise UsageError("this comparison was computed without its evidence; expected evidence=True; request it")
        return EvidenceTableResult(evidence=self.lines, powers=self.powers, measure=self.measure_name)

    def paper_grids(self) -> tuple[Grid, ...]:
        """The table of scores; of one measure also its tests, outcomes and IPSO as the rows of a paper's tables."""
        tables = paper_tables([self.evidence], [self.verdict.marks])
        names = self.table.systems if self.table else (self.champion, self.challenger)
        return grids_for_paper(self.table, tables, list(names))

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


def break_even_sentences(result: BreakEvenResult) -> tuple[str, ...]:
    """For whom each run is the better choice."""
    if not result.changes:
        better = result.challenger if result.saved.sum() > 0 else result.champion
        readers = f"users who give up after any number of results up to {result.depth:,}"
        return (f"There is no break-even: {better} is better for {readers}.",)
    above = [result.challenger if change.challenger_above else result.champion for change in result.changes]
    places = [f"about {round(change.results):,}" for change in result.changes]
    intervals = [_interval_in_brackets(change) for change in result.changes]
    if len(above) == 1:
        return (f"{above[0]} is better for users who read more than {places[0]} results{intervals[0]}.",)
    below = result.champion if result.changes[0].challenger_above else result.challenger
    ranges = [f"{below} is better for users who read fewer than {places[0]} results{intervals[0]}"]
    ranges += [f"{run} from there to {to}{ci}" for run, to, ci in zip(above, places[1:], intervals[1:], strict=False)]
    return (f"{', '.join(ranges)}, and {above[-1]} beyond.",)


def _interval_in_brackets(change: BreakEven) -> str:
    low, high = change.ci95
    if low is not None and high is not None:
        return f" ({low:,} to {high:,})"
    if low is not None:
        return f" (at least {low:,})"
    return " (the interval is open at both ends)" if high is None else f" (at most {high:,})"
