"""Would every measure agree: innate pairwise orderings of the ranked lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runoff.comparisons import relations_of_all
from runoff.reports.sections._base import Content, ReportInputs, Section, nothing

if TYPE_CHECKING:
    from runoff.display.charts import Chart

LISTS_DEPTH: Final = 4
"""Ranks of the lists that explain the orderings."""
LEAST_SHOWN: Final = 0.001
"""Shares below it are said in words: 0.0% would read like none."""


def _content(inputs: ReportInputs) -> Content:
    if inputs.ipso is None:
        return nothing(inputs.missing.get("measures", "There is no second run to compare the first with."))
    free = inputs.ipso.free_share
    next_best = inputs.comparisons[0].charts() if inputs.comparisons else ()
    return Content(
        answer=f"free to disagree on {_small_share(free)} of the pairs of lists",
        sentence=_sentence(free),
        paragraphs=inputs.ipso.opening(0),
        charts=(*(chart for chart in next_best if chart.name == "ipso_strips"), *inputs.ipso.charts()),
        tables=inputs.ipso.grids(),
    )


def _sentence(free: float) -> str:
    """On how many pairs of lists measures must agree, and what that leaves open."""
    if free == 0.0:
        said = "Every reasonable measure must agree which list is better, on every pair of ranked lists."
    else:
        rest = f"{1 - free:.1%}" if free >= LEAST_SHOWN else f"more than {1 - LEAST_SHOWN:.1%}"
        said = (
            f"Every reasonable measure must agree which list is better on {rest} of the pairs of ranked lists; on the "
            f"other {_small_share(free)} measures are free to disagree."
        )
    return f"{said} Measures may still differ in by how much, and so in which run has the better mean."


def _small_share(share: float) -> str:
    """A share that is 0.0% only where it is 0."""
    return f"{share:.1%}" if share >= LEAST_SHOWN else "less than 0.1%" if share else "none"


def _drawings() -> tuple[Chart, ...]:
    """All lists of four ranks: how each stands to each, and the order that every measure keeps."""
    from runoff.display.charts import Hasse, RelationGrid

    found = relations_of_all(LISTS_DEPTH)
    return RelationGrid(found), Hasse(found)


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
        (
            f"Below are all {2**LISTS_DEPTH} lists of {LISTS_DEPTH} ranks, 1 for a relevant document and 0 for another "
            "one: first how each stands to each, then the order that every measure must keep. A list is better than "
            "those that lines lead down to; about two lists that no such way joins, each measure decides for itself."
        ),
        "The vote stands beside one chosen measure and does not replace it: small wins can outvote a few large ones.",
    ),
    sources=(
        "Moffat & Mackenzie 2024, How much freedom does an effectiveness metric really have? DOI 10.1002/asi.24874",
    ),
    content=_content,
    drawings=_drawings,
)
