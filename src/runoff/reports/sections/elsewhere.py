"""Does the order hold on private queries, with other labels and measures, and did teams keep to the rules."""

from __future__ import annotations

from typing import Final

from runoff.reports.sections._base import Content, ReportInputs, Section


def _content(inputs: ReportInputs) -> Content | None:
    audit = inputs.audit
    if audit is None or not audit.has_something:
        return None
    _about, first, *more = audit.opening(0)
    return Content(
        answer=audit.headline(), sentence=first, paragraphs=tuple(more), charts=audit.charts(), tables=audit.grids()
    )


ELSEWHERE: Final = Section(
    name="elsewhere",
    label="Other conditions",
    question="Does the order hold on other queries, labels and measures?",
    method=(
        (
            "A condition is a set of queries, a set of labels and a measure. The same runs are ranked under each "
            "condition of the board, and the leader is tested against the leaders there and against the baselines. "
            "Kendall's tau is 1 where two conditions order all runs alike, and 0 where the orders are unrelated. "
            "It is compared with tau between random halves of the queries, because chance alone makes it lower than 1."
        ),
        (
            "Teams see their scores on public queries, so teams that submit often can fit them; scores on private "
            "queries are hidden until the end. The overfitting monitor takes each team's change from its first to its "
            "last submission and asks whether its gain on public queries carries over to private ones as the gains of "
            "other teams do, since private queries may be harder for everybody. An alarm needs a shortfall that is "
            "significant after Holm's correction over teams. Teams hold the labels of development queries, which "
            "count as neither."
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
