"""The result of comparing several challengers with one champion."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from runoff.display import Grid, Shown
from runoff.display.grid import visible
from runoff.display.rows import column, grid_of, row_class, row_of
from runoff.phrases import listed
from runoff.results.comparison import Comparison
from runoff.results.comparison_tables import mark_notes, paper_tables
from runoff.results.evidence import BoardEvidenceResult
from runoff.results.power import ResolutionTableResult, pair_resolution, seen_from, unseen_text
from runoff.results.systems_table import SystemsTable, grids_for_paper
from runoff.verdicts import EvidenceResult, Verdict
from runoff.verdicts.power import at_level
from runoff.verdicts.sentence import corrected_over

if TYPE_CHECKING:
    from runoff.display.charts import Chart

MOST_SENTENCES: Final = 3
"""With more challengers than this the table comes sooner, and each sentence is left to JSON."""
RULES_NOTE: Final = (
    "Do no harm and strict: Lin et al.'s rules on finding more and sooner alone, each corrected over the challengers."
)


@row_class
class ChallengerRow:
    """The verdict on a challenger, and the corrected p-values that it rests on."""

    challenger: str = column("Challenger")
    verdict: str = column("Verdict")
    do_no_harm: Verdict | None = column("Do no harm")
    strict: Verdict | None = column("Strict")
    difference: float = column("Δ", "number", signed=True)
    measure_p: float = column("p", "p")
    more_p: float | None = column("p (more)", "p")
    sooner_p: float | None = column("p (sooner)", "p")
    ipso_p: float | None = column("p (IPSO)", "p")
    seen_from: float | None = column("Detectable Δ", "number", help="The smallest difference found with 80% power.")
    margin: str | None = column("Within", optional=True)


def _row(comparison: Comparison) -> ChallengerRow:
    verdict = comparison.verdict
    more, sooner, ipso = (facet and facet.p for facet in (verdict.more, verdict.sooner, verdict.ipso))
    return row_of(
        ChallengerRow,
        verdict,
        challenger=comparison.challenger,
        verdict=f"{verdict.spoken} {verdict.marks}".strip(),
        difference=comparison.means.difference,
        measure_p=verdict.measure.p,
        more_p=more,
        sooner_p=sooner,
        ipso_p=ipso,
        seen_from=seen_from(comparison.measure_power),
        margin=comparison.margin and comparison.margin.kind,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class MultiComparison(Shown):
    """Some challengers against one champion, in the order in which they were named. Showing it computes nothing.

    evidence    all evidence about each challenger, each line corrected over them; empty if it was not requested
    table       the champion and the challengers under all measures; None of runs of a board
    detectable  per challenger, the smallest difference of the means that a t test finds with 80% power at that level
    """

    comparisons: tuple[Comparison, ...]
    evidence: tuple[EvidenceResult, ...]
    detectable: tuple[float | None, ...]
    table: SystemsTable | None = None

    @property
    def champion(self) -> str:
        """The run to beat."""
        return self.comparisons[0].champion

    @property
    def measure_note(self) -> str:
        """Why the measure was chosen, if nobody named one."""
        return self.comparisons[0].measure_note

    def to_dict(self) -> dict[str, object]:
        """The champion, the family sizes, and every comparison with its own keys; evidence is corrected over them."""
        verdict = self.comparisons[0].verdict
        return {
            "champion": self.champion,
            "correction": verdict.policy.correction,
            "family_size": verdict.family_size,
            "challengers": [
                {**comparison.to_dict(), "evidence": evidence.to_dict() if evidence else None}
                for comparison, evidence in zip_longest(self.comparisons, self.evidence)
            ],
            **(self.table.to_dict() if self.table else {}),
        }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """Who is better, and the sentence of every verdict where they are few."""
        groups: dict[str, list[str]] = {}
        for comparison in self.comparisons:
            groups.setdefault(comparison.outcome, []).append(comparison.challenger)
        found = ", ".join(
            f"{len(groups[verdict])} {verdict} ({', '.join(groups[verdict])})"
            for verdict in ("better", "worse", "trade-off", "inconclusive")
            if verdict in groups
        )
        few = self.comparisons if len(self.comparisons) <= MOST_SENTENCES else ()
        unseen = [unseen_text(comparison.powers) for comparison in few]
        sentences = [
            f"{comparison.verdict.sentence} {more}".strip() for comparison, more in zip(few, unseen, strict=True)
        ]
        margins = [comparison.margin.sentence for comparison in self.comparisons if comparison.margin]
        margins += [sentence for comparison in self.comparisons for sentence in comparison.break_even_sentences][
            :MOST_SENTENCES
        ]
        return tuple(map(visible, (f"Against {self.champion}: {found}.", *sentences, *margins)))

    def grid(self) -> Grid:
        """The table of scores under several measures; of one, the verdicts."""
        return self.table.grid() if self.table and self.table.is_of_several else self.verdict_grid()

    def verdict_grid(self) -> Grid:
        """A row per challenger: verdicts, and the corrected p-values that they rest on."""
        first = self.comparisons[0]
        return grid_of(
            ChallengerRow,
            map(_row, self.comparisons),
            difference=f"Δ {first.measure_name}",
            measure_p=f"p ({first.measure_name})",
            margin=f"Within {first.margin.result.margin:g}" if first.margin else {},
            title=f"Challengers of {self.champion} on {first.queries:,} queries",
            notes=[
                f"{corrected_over(first.verdict) or 'p-values are not corrected'}; those of IPSO over the challengers.",
                f"Detectable Δ: the smallest true difference that is found with 80% power{at_level(first.verdict)}.",
                *([RULES_NOTE] if first.verdict.strict is not None else []),
                *mark_notes([comparison.verdict for comparison in self.comparisons], first.measure_name),
                *self._remarks(),
            ],
        )

    def evidence_table(self) -> BoardEvidenceResult:
        """All evidence, a row per challenger; each line is corrected over them."""
        return BoardEvidenceResult(
            title=f"challengers of {self.champion}",
            measure=self.comparisons[0].measure_name,
            which="first",
            evidence=self.evidence,
            seen=self.detectable,
        )

    def resolution_table(self) -> ResolutionTableResult:
        """The smallest differences that these queries show, by challenger, measure and test."""
        rows = [(comparison.power_rows, comparison.powers) for comparison in self.comparisons]
        return pair_resolution(rows, self.champion, self.comparisons[0].queries)

    def grids(self) -> tuple[Grid, ...]:
        """The table of scores, and the verdicts."""
        return (*((self.table.grid_beside_verdicts(),) if self.table else ()), self.verdict_grid())

    def _remarks(self) -> list[str]:
        """Every remark once: on all pairs, on some, then on single runs; those with the same remark together."""
        pairs: dict[str, list[str]] = {}
        runs: dict[str, list[str]] = {}
        for comparison in self.comparisons:
            for remark in comparison.remarks:
                of_run = [run for run in (comparison.champion, comparison.challenger) if remark.startswith(f"{run}: ")]
                if not of_run:
                    pairs.setdefault(remark, []).append(comparison.challenger)
                elif of_run[0] not in (names := runs.setdefault(remark.removeprefix(f"{of_run[0]}: "), [])):
                    names.append(of_run[0])
        everywhere = len(self.comparisons)
        return [
            *(remark for remark, names in pairs.items() if len(names) == everywhere),
            *(f"{listed(names)}: {remark}" for remark, names in pairs.items() if len(names) < everywhere),
            *(f"{listed(names)}: {rest}" for rest, names in runs.items()),
        ]

    def paper_grids(self) -> tuple[Grid, ...]:
        """The table of scores; of one measure also its tests, outcomes and IPSO, a row per challenger."""
        tables = paper_tables(
            [comparison.evidence for comparison in self.comparisons],
            [comparison.verdict.marks for comparison in self.comparisons],
        )
        names = self.table.systems if self.table else [self.champion, *(each.challenger for each in self.comparisons)]
        return grids_for_paper(self.table, tables, list(names))

    def charts(self) -> tuple[Chart, ...]:
        """The outcomes of every challenger, where they are known, and the first break-evens."""
        from runoff.display.charts import OutcomeBars

        found = [comparison.outcomes for comparison in self.comparisons if comparison.outcomes is not None]
        split = [chart for comparison in self.comparisons for chart in comparison.break_even_charts()]
        return (*((OutcomeBars(found),) if found else ()), *split[:MOST_SENTENCES])
