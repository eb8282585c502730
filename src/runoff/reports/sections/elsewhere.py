"""Does the order hold on private queries, other labels and other measures, and did teams keep to the rules."""

from __future__ import annotations

from typing import Final

from runoff.reports.sections._base import Content, ReportInputs, Section, nothing


def _content(inputs: ReportInputs) -> Content:
    audit = inputs.audit
    if audit is None:
        return nothing(inputs.missing.get("elsewhere", "There is no other set of queries or labels to look at."))
    _about, first, *more = audit.opening(0)
    return Content(
        answer=audit.headline(), sentence=first, paragraphs=tuple(more), charts=audit.charts(), tables=audit.grids()
    )


ELSEWHERE: Final = Section(
    name="elsewhere",
    label="Elsewhere",
    question="Does it hold on private queries and other labels?",
    method=(
        (
            "A condition is a set of queries, a set of labels and a measure. The same runs are ranked under each "
            "condition of the board, and its leader is tested against the leaders there and against the baselines. "
            "Kendall's tau is 1 where two conditions order all runs alike, and 0 where orders have nothing to do with "
            "each other. It is compared with tau of random splits of the queries, or of halves: chance alone makes it "
            "lower than 1."
        ),
        (
            "Scores on public queries are shown to teams, so teams that submit often can fit them; scores on private "
            "queries are not shown before the end. The monitor takes each team's change from its first to its last "
            "submission and asks whether its gain on public queries carries over to private ones as the other teams' "
            "gains do: private queries may be harder for all. An alarm needs a shortfall that is significant after "
            "Holm's correction over teams. Queries whose labels teams hold are development queries, and are neither."
        ),
        "Near-duplicates are runs whose top 10 documents are almost the same.",
    ),
    sources=(
        (
            "Craswell, Mitra, Yilmaz, Campos & Lin 2021, MS MARCO: Benchmarking ranking models in the large-data "
            "regime, sections 3.2 and 3.3. DOI 10.1145/3404835.3462804"
        ),
    ),
    content=_content,
)
