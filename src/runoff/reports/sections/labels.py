"""Are the labels good enough: what nobody judged, and what people preferred."""

from __future__ import annotations

from typing import Final

from runoff.reports.sections._base import Content, ReportInputs, Section, nothing


def _content(inputs: ReportInputs) -> Content:
    parts = [part for part in (inputs.labels, inputs.preferences) if part is not None]
    if inputs.labels is None or not parts:
        return nothing(inputs.missing.get("labels", "The judged documents of the runs are not known."))
    said = [paragraph for part in parts for paragraph in part.opening(0)]
    unjudged = [chart for chart in inputs.board.charts() if chart.name == "unjudged"]
    no_pairs = "No judgments of pairs were given, so nobody has said which of two top documents is the better answer."
    return Content(
        answer=f"{inputs.labels.unjudged:.1%} of the top documents are unjudged",
        sentence=said[0],
        paragraphs=(*said[1:], *((no_pairs,) if inputs.preferences is None else ())),
        charts=(*unjudged, *(chart for part in parts for chart in part.charts())),
        tables=tuple(grid for part in parts for grid in part.grids()),
    )


LABELS: Final = Section(
    name="labels",
    label="Labels",
    question="Are the labels good enough?",
    method=(
        (
            "A document that nobody judged counts as not relevant. A run that finds good documents which no other "
            "run found when the labels were made gets nothing for them, so a board with many unjudged documents "
            "near the top can hold its best runs back."
        ),
        (
            "The cure is to let people compare the runs' top documents, two at a time, with the labelled ones: "
            "what they prefer becomes the new label."
        ),
    ),
    sources=(
        "Arabzadeh, Vtyurina, Yan & Clarke 2021, Shallow pooling for sparse labels. DOI 10.48550/arXiv.2109.00062",
    ),
    content=_content,
)
