"""How the top runs differ: what each finds, and how soon."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, get_args

from runoff.phrases import counted
from runoff.reports.sections._base import Content, ReportInputs, Section, nothing
from runoff.results.comparison import Comparison
from runoff.verdicts import Verdict


def _content(inputs: ReportInputs) -> Content:
    if inputs.multi_comparison is None or not inputs.comparisons:
        return nothing(inputs.missing.get("outcomes", "There is no second run to compare the first with."))
    next_best = inputs.comparisons[0]
    shown = len(inputs.multi_comparison.grid().rows)
    found = Counter(comparison.outcome for comparison in inputs.comparisons[:shown])
    kinds = ", ".join(f"{found[verdict]} {verdict}" for verdict in get_args(Verdict) if found[verdict])
    charts = [
        *inputs.multi_comparison.charts(),
        *(chart for chart in next_best.charts() if chart.name == "differences"),
    ]
    return Content(
        answer=f"{counted(shown, 'challenger')} shown: {kinds}",
        sentence=_sentence(next_best),
        paragraphs=(next_best.verdict.sentence, *_break_evens(inputs.comparisons[:shown])),
        charts=tuple(charts),
        tables=tuple(dict.fromkeys((*inputs.multi_comparison.grids(), *inputs.multi_comparison.paper_grids()))),
    )


def _break_evens(comparisons: Sequence[Comparison]) -> list[str]:
    """For whom each of two runs is better, where one finds more and the other sooner."""
    return [
        f"{comparison.challenger} against {comparison.champion}: {text}"
        for comparison in comparisons
        for text in comparison.break_even_sentences
    ]


def _sentence(comparison: Comparison) -> str:
    found = comparison.outcomes
    if found is None:
        return comparison.verdict.sentence
    theirs, mine = found.queries_more
    if theirs == mine == 0:
        return (
            f"{comparison.challenger}, the run with the next best mean, finds as many of every query as "
            f"{comparison.champion}."
        )
    return (
        f"On {counted(found.queries - found.unanswerable, 'query', 'queries')}, {comparison.champion} finds more "
        "relevant "
        f"documents on {theirs:,}, and {comparison.challenger}, the run with the next best mean, on {mine:,}."
    )


OUTCOMES: Final = Section(
    name="outcomes",
    label="Differences",
    question="How are the top runs different?",
    method=(
        (
            "A mean hides how a run is better. Each run finds a number of the relevant documents of a query within the "
            "depth: the first, the second, and so on. Each of them is found by neither run, by one, or by both."
        ),
        (
            "Who finds more is tested with the sign test over queries. Who finds sooner is tested over the documents "
            "that both find, by their mean rank in each query (ESL). With one relevant document per query this is the "
            "comparison of Lin et al."
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
