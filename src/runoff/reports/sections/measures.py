"""Would every measure agree: innate pairwise orderings of the ranked lists (IPSO)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runoff.comparisons import relations_of_all
from runoff.reports.sections._base import Content, ReportInputs, Section

if TYPE_CHECKING:
    from runoff.display.charts import Chart

LISTS_DEPTH: Final = 4
"""Ranks of the lists that explain the orderings."""
LEAST_SHOWN: Final = 0.001
"""Shares below it are written out: 0.0% would read like none."""


def _content(inputs: ReportInputs) -> Content | None:
    if inputs.shares is None:
        return None
    free, ipso = inputs.shares.nonseparable, inputs.ipso
    strips = inputs.comparisons[0].charts() if ipso and inputs.comparisons else ()
    return Content(
        answer=_answer(free),
        sentence=_sentence(free, inputs.shares.depth),
        paragraphs=ipso.opening(0) if ipso else (),
        charts=(*(chart for chart in strips if chart.name == "ipso_strips"), *(ipso.charts() if ipso else ())),
        tables=ipso.grids() if ipso else (),
    )


def _answer(free: float) -> str:
    if free == 0.0:
        return "all measures must agree about every pair of ranked lists"
    return f"measures may disagree about {_small_share(free)} of the pairs of ranked lists"


def _sentence(free: float, depth: int) -> str:
    """On how many pairs of lists measures must agree, and what that leaves open."""
    if free == 0.0:
        agree = f"To rank {depth}, every reasonable measure must agree which of two ranked lists is better."
    else:
        rest = f"{1 - free:.1%}" if free >= LEAST_SHOWN else f"more than {1 - LEAST_SHOWN:.1%}"
        agree = (
            f"To rank {depth}, every reasonable measure must agree which list is better for {rest} of the pairs of "
            f"ranked lists; measures may disagree about {_small_share(free)}."
        )
    return f"{agree} They may still differ about how much better it is, and so about which run has the better mean."


def _small_share(share: float) -> str:
    return f"{share:.1%}" if share >= LEAST_SHOWN else "less than 0.1%"


def _drawings() -> tuple[Chart, ...]:
    """All lists of four ranks: how each compares with each, and the order that every measure keeps."""
    from runoff.display.charts import Hasse, RelationGrid

    relations = relations_of_all(LISTS_DEPTH)
    return RelationGrid(relations), Hasse(relations)


MEASURES: Final = Section(
    name="measures",
    label="Measures",
    question="Would every measure agree?",
    method=(
        (
            "Go down two ranked lists for the same query and count the relevant documents found so far in each. "
            "If one list is never behind, every reasonable measure must score it at least as high: the pair is "
            "separable, or equal. If each is ahead somewhere, measures may disagree: the pair is non-separable."
        ),
        (
            "Over all queries, the separable lists vote for one run or the other, and a sign test tells whether the "
            "vote is more than chance. The vote complements the chosen measure and does not replace it: many small "
            "wins can outvote a few large ones. A full report (--full) shows how often the vote agrees with the tests "
            "of common measures."
        ),
    ),
    sources=(
        "Moffat & Mackenzie 2024, How much freedom does an effectiveness metric really have? DOI 10.1002/asi.24874",
    ),
    content=_content,
    drawings=_drawings,
)
