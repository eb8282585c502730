"""Are the labels good enough: what nobody judged, and what people preferred."""

from __future__ import annotations

from typing import Final

from runoff.reports.sections._base import Content, ReportInputs, Section


def _content(inputs: ReportInputs) -> Content | None:
    if inputs.labels is None:
        return None
    parts = (inputs.labels, *((inputs.preferences,) if inputs.preferences is not None else ()))
    first, *paragraphs = [paragraph for part in parts for paragraph in part.opening(0)]
    unjudged = [chart for chart in inputs.board.charts() if chart.name == "unjudged"]
    return Content(
        answer=f"{inputs.labels.unjudged:.1%} of the top 10 documents are unjudged",
        sentence=first,
        paragraphs=tuple(paragraphs),
        charts=(*unjudged, *(inputs.preferences.charts() if inputs.preferences is not None else ())),
        tables=tuple(grid for part in parts for grid in part.grids()),
    )


LABELS: Final = Section(
    name="labels",
    label="Labels",
    question="Are the labels good enough?",
    method=(
        (
            "An unjudged document counts as not relevant. A run that finds good documents which no other run found "
            "when the labels were made gets nothing for them, so a board with many unjudged documents near the top "
            "can hold its best runs back."
        ),
        (
            "The remedy is to let people compare the runs' top documents, two at a time, with the labelled ones: "
            "what they prefer becomes the new label."
        ),
    ),
    sources=(
        "Arabzadeh, Vtyurina, Yan & Clarke 2021, Shallow pooling for sparse labels. DOI 10.48550/arXiv.2109.00062",
    ),
    content=_content,
)
