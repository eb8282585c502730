"""How the top runs differ: what each finds, and how soon."""

from __future__ import annotations

from collections import Counter
from typing import Final, get_args

from runoff.phrases import counted
from runoff.reports.sections._base import Content, ReportInputs, Section
from runoff.results.comparison import Comparison
from runoff.verdicts import Verdict

MOST: Final = 5
"""Challengers in the chart that is shown at once."""


def _content(inputs: ReportInputs) -> Content | None:
    shown = inputs.multi_comparison
    if shown is None:
        return None
    from runoff.display.charts import OutcomeBars

    challengers, next_best = shown.comparisons, shown.comparisons[0]
    verdicts = Counter(comparison.outcome for comparison in challengers)
    kinds = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in get_args(Verdict) if verdicts[verdict])
    outcomes = [comparison.outcomes for comparison in challengers if comparison.outcomes is not None]
    charts = [chart for chart in shown.charts() if chart.name != "outcome_bars" or len(outcomes) > MOST]
    charts += [chart for chart in next_best.charts() if chart.name == "differences"] if inputs.full else []
    break_evens = [
        f"{comparison.challenger} against {comparison.champion}: {sentence}"
        for comparison in challengers
        for sentence in comparison.break_even_sentences
    ]
    papers = shown.paper_grids() if inputs.full else ()
    return Content(
        answer=f"{counted(len(challengers), 'challenger')}: {kinds}",
        sentence=_sentence(next_best),
        first_chart=OutcomeBars(outcomes[:MOST]) if outcomes else None,
        paragraphs=(next_best.verdict.sentence, *break_evens),
        charts=tuple(charts),
        tables=tuple(dict.fromkeys((*shown.grids(), *papers))),
    )


def _sentence(comparison: Comparison) -> str:
    """Which of the two best runs finds more relevant documents, and on how many queries."""
    outcomes = comparison.outcomes
    if outcomes is None:
        return comparison.verdict.sentence
    ahead, behind = outcomes.queries_more
    queries = counted(outcomes.queries - outcomes.unanswerable, "query", "queries")
    if ahead == behind == 0:
        return (
            f"{comparison.champion} and {comparison.challenger}, the run with the next best mean, find equally many "
            f"relevant documents on each of {queries}."
        )
    return (
        f"{comparison.champion} finds more relevant documents than {comparison.challenger}, the run with the next best "
        f"mean, on {ahead:,} of {queries}, and fewer on {behind:,}."
    )


OUTCOMES: Final = Section(
    name="outcomes",
    label="Differences",
    question="How do the top runs differ?",
    method=(
        (
            "A mean hides how a run is better. For each query, every relevant document is found within the depth by "
            "neither run, by one of them, or by both."
        ),
        (
            "Which run finds more is tested with the sign test over queries. Which finds sooner is tested over the "
            "documents that both find, by their mean rank in each query (ESL). With one relevant document per query "
            "this is the comparison of Lin et al."
        ),
        "The champion is the leader, the challengers are the next runs; every verdict is about the challenger.",
    ),
    sources=(
        (
            "Lin, Campos, Craswell, Mitra & Yilmaz 2021, Significant improvements over the state of the art? "
            "DOI 10.48550/arXiv.2102.12887"
        ),
    ),
    content=_content,
    is_open=True,
)
