"""The result of comparing several challengers with one champion."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from runoff.display import Column, Grid, Shown
from runoff.display.cells import visible
from runoff.results.comparison import DuelResult
from runoff.results.comparison_tables import paper_tables
from runoff.results.evidence_rows import BoardEvidenceResult
from runoff.results.mark_notes import mark_notes
from runoff.results.power_table import seen_from, seen_of, unseen_text
from runoff.results.resolution_table import ResolutionTableResult, pair_resolution
from runoff.verdicts import EvidenceResult, together
from runoff.verdicts.sentence import corrected_over
from runoff.verdicts.sight import at_level

if TYPE_CHECKING:
    from runoff.display.charts import Chart

MOST_SENTENCES: Final = 3
"""With more challengers than this the table comes sooner, and each sentence is left to JSON."""
RULES_NOTE: Final = (
    "Do no harm and strict: Lin et al.'s rules on finding more and sooner alone, each corrected over the challengers."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class ContestResult(Shown):
    """Some challengers against one champion, in the order in which they were named."""

    duels: tuple[DuelResult, ...]

    @property
    def champion(self) -> str:
        """The run to beat."""
        return self.duels[0].champion

    def to_dict(self) -> dict[str, object]:
        """The champion, the size of the families, and every duel with its own keys; evidence is corrected over them."""
        verdict = self.duels[0].verdict
        return {
            "champion": self.champion,
            "correction": verdict.correction,
            "family_size": verdict.family_size,
            "challengers": [
                {**duel.to_dict(), "evidence": evidence.to_dict()}
                for duel, evidence in zip(self.duels, self._evidence, strict=True)
            ],
        }

    @cached_property
    def _evidence(self) -> tuple[EvidenceResult, ...]:
        """All evidence about each challenger, each line corrected over them."""
        return together([duel.lines for duel in self.duels], self.duels[0].verdict.policy)

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """Who is better, and the sentence of every verdict where they are few."""
        groups: dict[str, list[str]] = {}
        for duel in self.duels:
            groups.setdefault(duel.outcome, []).append(duel.challenger)
        found = ", ".join(
            f"{len(groups[verdict])} {verdict} ({', '.join(groups[verdict])})"
            for verdict in ("better", "worse", "trade-off", "inconclusive")
            if verdict in groups
        )
        few = self.duels if len(self.duels) <= MOST_SENTENCES else ()
        unseen = [unseen_text(duel.sights) for duel in few]
        sentences = [f"{duel.verdict.sentence} {more}".strip() for duel, more in zip(few, unseen, strict=True)]
        margins = [duel.margin.sentence for duel in self.duels if duel.margin]
        margins += [sentence for duel in self.duels for sentence in duel.break_even_sentences][:MOST_SENTENCES]
        return tuple(map(visible, (f"Against {self.champion}: {found}.", *sentences, *margins)))

    def grid(self) -> Grid:
        """A row per challenger: verdicts, and the corrected p-values that they rest on."""
        rows = []
        for duel in self.duels:
            verdict = duel.verdict
            facets = verdict.measure, verdict.more, verdict.sooner, verdict.ipso
            rows.append([
                duel.challenger, f"{verdict.spoken} {verdict.marks}".strip(), verdict.do_no_harm, verdict.strict,
                duel.means.difference,
                *(facet.p if facet is not None else None for facet in facets), seen_from(duel.measure_sight),
                *([duel.margin.kind] if duel.margin else []),
            ])  # fmt: skip
        first = self.duels[0]
        return Grid(
            title=f"Challengers of {self.champion} on {first.queries:,} queries",
            columns=[
                Column("challenger", "Challenger"),
                Column("verdict", "Verdict"),
                Column("do_no_harm", "Do no harm"),
                Column("strict", "Strict"),
                Column("difference", f"Δ {first.measure_name}", "number", signed=True),
                Column("measure_p", f"p ({first.measure_name})", "p"),
                Column("more_p", "p (more)", "p"),
                Column("sooner_p", "p (sooner)", "p"),
                Column("ipso_p", "p (IPSO)", "p"),
                Column("seen_from", "Detectable Δ", "number", help="The smallest difference found with 80% power."),
                *([Column("margin", f"Within {first.margin.result.margin:g}")] if first.margin else []),
            ],
            rows=rows,
            notes=[
                f"{corrected_over(first.verdict) or 'p-values are not corrected'}; those of IPSO over the challengers.",
                f"Detectable Δ: the smallest true difference that is found with 80% power{at_level(first.verdict)}.",
                *([RULES_NOTE] if first.verdict.strict is not None else []),
                *mark_notes([duel.verdict for duel in self.duels], first.measure_name),
                *self._remarks(),
            ],
        )

    def evidence_table(self) -> BoardEvidenceResult:
        """All evidence, a row per challenger; each line is corrected over them."""
        title, measure = f"challengers of {self.champion}", self.duels[0].measure_name
        seen = seen_of([duel.scores for duel in self.duels], self.duels[0].verdict.policy)
        return BoardEvidenceResult(title=title, measure=measure, which="first", evidence=self._evidence, seen=seen)

    def resolution_table(self, difference: float | None = None) -> ResolutionTableResult:
        """The smallest differences that these queries show, by challenger, measure and test."""
        found = [(duel.resolution_rows(difference), duel.sights) for duel in self.duels]
        return pair_resolution(found, self.champion, self.duels[0].queries)

    def grids(self) -> tuple[Grid, ...]:
        """The challengers, and what the queries can show where several measures were asked for."""
        question = self.duels[0].question
        if question is None or not question.also:
            return (self.grid(),)
        found = self.resolution_table()
        return self.grid(), found.grid(), found.needed_grid()

    def _remarks(self) -> list[str]:
        """Every remark once, with the challenger's name where it is not about all of them."""
        remarks: dict[str, list[str]] = {}
        for duel in self.duels:
            for remark in duel.remarks:
                remarks.setdefault(remark, []).append(duel.challenger)
        return [
            remark
            if len(names) == len(self.duels) or remark.startswith(f"{names[0]}: ")
            else f"{', '.join(names)}: {remark}"
            for remark, names in remarks.items()
        ]

    def paper_grids(self) -> tuple[Grid, ...]:
        """Significance tests, outcomes and IPSO as tables of a paper, a row per challenger."""
        return paper_tables(self.duels)

    def charts(self) -> tuple[Chart, ...]:
        """The outcomes of every challenger, where they are known, and the first break-evens."""
        from runoff.display.charts import OutcomeBars

        found = [duel.outcomes for duel in self.duels if duel.outcomes is not None]
        split = [chart for duel in self.duels for chart in duel.break_even_charts()]
        return (*((OutcomeBars(found),) if found else ()), *split[:MOST_SENTENCES])
