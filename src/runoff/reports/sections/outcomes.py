"""How the top runs differ: which queries each answers, and how early."""

from __future__ import annotations

from collections import Counter
from typing import Final, get_args

from runoff.reports.sections._base import Content, Duel, ReportInputs, Section, counted, nothing
from runoff.verdicts import Verdict


def _content(inputs: ReportInputs) -> Content:
    if inputs.contest is None or not inputs.duels:
        return nothing(inputs.missing.get("outcomes", "There is no second run to compare the first with."))
    next_best = inputs.duels[0]
    shown = len(inputs.contest.grid().rows)
    found = Counter(duel.outcome for duel in inputs.duels[:shown])
    kinds = ", ".join(f"{found[verdict]} {verdict}" for verdict in get_args(Verdict) if found[verdict])
    charts = [*inputs.contest.charts(), *(chart for chart in next_best.charts() if chart.name == "differences")]
    return Content(
        answer=f"{counted(shown, 'challenger')} shown: {kinds}",
        sentence=_sentence(next_best),
        paragraphs=(next_best.verdict.sentence,),
        charts=tuple(charts),
        tables=tuple(dict.fromkeys((*inputs.contest.grids(), *inputs.contest.paper_grids()))),
    )


def _sentence(duel: Duel) -> str:
    found = duel.outcomes
    if found is None:
        return duel.verdict.sentence
    return (
        f"Of {counted(found.queries, 'query', 'queries')}, {found.both:,} are answered by both {duel.champion} and "
        f"{duel.challenger}, the run with the next best mean; {found.champion_only:,} only by {duel.champion}, "
        f"{found.challenger_only:,} only by {duel.challenger}, and {found.neither:,} by neither."
    )


OUTCOMES: Final = Section(
    name="outcomes",
    label="Differences",
    question="How are the top runs different?",
    method=(
        (
            "A mean hides how a run is better. Each query falls into one of four cases: neither run finds a relevant "
            "document within the depth, only one of them does, or both do."
        ),
        (
            "Who answers more queries is tested with the binomial test on the queries that only one run answers. "
            "Who answers earlier is tested on the queries that both answer, by the rank of the first relevant "
            "document (ESL)."
        ),
        "Champion is the first run, challenger each of the next ones; everything is said of the challenger.",
    ),
    sources=(
        (
            "Lin, Campos, Craswell, Mitra & Yilmaz 2021, Significant improvements over the state of the art? "
            "DOI 10.48550/arXiv.2102.12887"
        ),
    ),
    content=_content,
)
