"""Would every measure agree: innate pairwise orderings of the ranked lists."""

from __future__ import annotations

from typing import Final

from runoff.reports.sections._base import Content, ReportInputs, Section, nothing


def _content(inputs: ReportInputs) -> Content:
    if inputs.ipso is None:
        return nothing(inputs.missing.get("measures", "There is no second run to compare the first with."))
    free = inputs.ipso.free_share
    next_best = inputs.duels[0].charts() if inputs.duels else ()
    return Content(
        answer=f"free to disagree on {free:.1%} of the pairs of lists",
        sentence=f"Every reasonable measure must agree on {1 - free:.1%} of the pairs of ranked lists; on the other "
        f"{free:.1%} measures are free to disagree.",
        paragraphs=inputs.ipso.opening(0),
        charts=tuple(chart for chart in next_best if chart.name == "ipso_strips"),
        tables=inputs.ipso.grids(),
    )


MEASURES: Final = Section(
    name="measures",
    label="Measures",
    question="Would every measure agree?",
    method=(
        (
            "Walk down two ranked lists for the same query and count the relevant documents found so far in each. "
            "If one list is never behind, every reasonable measure must score it at least as high: the pair is "
            "separable, or equal. If each is ahead somewhere, measures are free to disagree: the pair is "
            "non-separable."
        ),
        (
            "Over all queries, the lists that are separable vote for one run or the other, and a sign test says "
            "whether the vote is more than luck. The tables show how often this vote agrees with the tests of "
            "common measures."
        ),
        "The vote stands beside one chosen measure and does not replace it: small wins can outvote a few large ones.",
    ),
    sources=(
        "Moffat & Mackenzie 2024, How much freedom does an effectiveness metric really have? DOI 10.1002/asi.24874",
    ),
    content=_content,
)
