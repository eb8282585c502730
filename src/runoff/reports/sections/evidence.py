"""Does all evidence agree: every line of it about the first run and the next ones, side by side."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from runoff.phrases import counted
from runoff.reports.sections._base import Content, ReportInputs, Section, nothing
from runoff.results.comparison import Comparison
from runoff.results.evidence import evidence_grid
from runoff.verdicts import EvidenceResult, together

if TYPE_CHECKING:
    from runoff.display.charts import Chart

MOST: Final = 10
"""Challengers that are shown, those with the best means."""
WORDS: Final = {
    "agree": "all lines speak for the same run",
    "lean": "some lines speak, all for the same run",
    "conflict": "lines speak against each other",
    "nothing": "no line shows a difference",
}


def _content(inputs: ReportInputs) -> Content:
    if not inputs.comparisons:
        return nothing(inputs.missing.get("outcomes", "There is no second run to compare the first with."))
    shown = inputs.comparisons[:MOST]
    found = inputs.evidence or together(
        [comparison.lines for comparison in shown if comparison.lines], shown[0].verdict.policy
    )
    next_best = found[0]
    kinds = Counter[str](one.kind for one in found)
    said = "; ".join(f"for {kinds[kind]:,} {word}" for kind, word in WORDS.items() if kinds[kind])
    unseen = _unseen(shown[0], inputs.ranks.measure) if next_best.kind == "nothing" else ""
    return Content(
        answer=f"{next_best.challenger} against {next_best.champion}: {WORDS[next_best.kind]}",
        sentence=f"{next_best.challenger} against {next_best.champion}: {next_best.sentence}",
        paragraphs=(
            *((unseen,) if unseen else ()),
            f"Of the {counted(len(found), 'challenger')} with the next best means, {said}.",
            next_best.caution,
        ),
        charts=_charts(found),
        tables=(evidence_grid(next_best, inputs.ranks.measure),),
    )


def _unseen(comparison: Comparison, measure: str) -> str:
    """What the queries could have shown of the measure, where no line can tell."""
    power = next((one for one in comparison.powers if one.facet == "measure"), None)
    if power is None or power.smallest is None:
        return ""
    return (
        f"There may still be a difference: with {power.n:,} queries, differences of the mean {measure} below "
        f"{power.smallest:.4f} usually go undetected ({power.power:.0%} power at {power.level:.2g}); "
        f"{abs(power.observed):.4f} was observed."
    )


def _charts(found: tuple[EvidenceResult, ...]) -> tuple[Chart, ...]:
    from runoff.display.charts import EvidenceMatrix

    return (EvidenceMatrix(found),)


EVIDENCE: Final = Section(
    name="evidence",
    label="Evidence",
    question="Does all evidence agree?",
    method=(
        (
            "There are many ways to ask whether a run is better: the test of the measure, who finds more and who "
            "sooner, the lists on which every measure must agree, who reaches each relevant document first, what "
            "people prefer, what the private queries say. Each is one line of evidence, and is decided by itself, "
            "corrected for the number of challengers. Several tests of one measure count as one line. A line may "
            "favour a run where the verdict is inconclusive: verdicts allow for the leader having been picked, lines "
            "do not."
        ),
        (
            "Lines that rest on the same queries and labels are not independent, so that their number is no measure of "
            "how sure a claim is. What is worth looking at is where they conflict: there runs differ in kind, and "
            "which one is better depends on what a user needs."
        ),
    ),
    sources=(
        (
            "Lin, Campos, Craswell, Mitra & Yilmaz 2021, Significant improvements over the state of the art? "
            "DOI 10.48550/arXiv.2102.12887"
        ),
        "Moffat & Mackenzie 2024, How much freedom does an effectiveness metric really have? DOI 10.1002/asi.24874",
        "Diaz & Ferraro 2022, Offline retrieval evaluation without evaluation metrics. DOI 10.1145/3477495.3532033",
    ),
    content=_content,
)
