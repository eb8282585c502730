"""Does all evidence agree: every line of it about the leader and the next best runs, side by side."""

from __future__ import annotations

from collections import Counter
from typing import Final

from runoff.phrases import counted
from runoff.reports.sections._base import Content, ReportInputs, Section
from runoff.results.comparison import Comparison
from runoff.results.evidence import evidence_grid

MOST: Final = 10
"""Challengers that are shown, those with the best means."""
WORDS: Final = {
    "agree": "all evidence favours the same run",
    "lean": "some evidence favours one run and none the other",
    "conflict": "the evidence conflicts",
    "nothing": "no evidence of a difference",
}


def _content(inputs: ReportInputs) -> Content | None:
    if not inputs.evidence:
        return None
    from runoff.display.charts import EvidenceMatrix

    next_best = inputs.evidence[0]
    kinds = Counter[str](evidence.kind for evidence in inputs.evidence)
    summary = "; ".join(f"for {kinds[kind]:,}, {words}" for kind, words in WORDS.items() if kinds[kind])
    undetected = _undetected(inputs.comparisons[0], inputs.ranks.measure) if next_best.kind == "nothing" else ""
    return Content(
        answer=f"{next_best.challenger} against {next_best.champion}: {WORDS[next_best.kind]}",
        sentence=f"{next_best.challenger} against {next_best.champion}: {next_best.sentence}",
        paragraphs=(
            *((undetected,) if undetected else ()),
            f"Of the {counted(len(inputs.evidence), 'challenger')} with the next best means: {summary}.",
            next_best.caution,
        ),
        charts=(EvidenceMatrix(inputs.evidence),),
        tables=(evidence_grid(next_best, inputs.ranks.measure),),
    )


def _undetected(comparison: Comparison, measure: str) -> str:
    """Which differences of the measure usually go undetected, where no evidence shows one."""
    power = next((power for power in comparison.powers if power.facet == "measure"), None)
    if power is None or power.smallest is None:
        return ""
    return (
        f"There may still be a difference: with {power.n:,} queries, differences of the mean {measure} below "
        f"{power.smallest:.4f} usually go undetected ({power.power:.0%} power at {power.level:.2g}); "
        f"{abs(power.observed):.4f} was observed."
    )


EVIDENCE: Final = Section(
    name="evidence",
    label="Evidence",
    question="Does all evidence agree?",
    method=(
        (
            "There are many ways to ask whether a run is better: the test of the measure, which run finds more and "
            "which sooner, the lists on which every measure must agree, which run reaches each relevant document "
            "first, what people prefer, and the private queries. Each is one line of evidence with a decision of its "
            "own, corrected for the number of challengers. Several tests of one measure count as one line. A line may "
            "favour a run although the verdict is inconclusive: verdicts allow for the leader having been picked "
            "after looking, lines do not."
        ),
        (
            "Lines that rest on the same queries and labels are not independent, so their number says little about "
            "how certain a claim is. Look at where they conflict: there the runs differ in kind, and which one is "
            "better depends on what a user needs."
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
