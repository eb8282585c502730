"""What to doubt: every reason that the checks of the board give, each with the section that has its numbers."""

from __future__ import annotations

from typing import Final

from runoff.phrases import counted, is_or_are
from runoff.reports.sections._base import Content, ReportInputs, Section


def _content(inputs: ReportInputs) -> Content | None:
    if not inputs.lead.others:
        return None
    if not inputs.doubts:
        return Content(answer="nothing that was checked", sentence="No check found a reason to doubt this order.")
    reasons = counted(len(inputs.doubts), "reason")
    return Content(
        answer=f"{reasons} for caution",
        sentence=f"There {is_or_are(len(inputs.doubts))} {reasons} for caution.",
        points=inputs.doubts,
    )


DOUBTS: Final = Section(
    name="doubts",
    label="Doubts",
    question="What should you doubt?",
    method=(
        (
            "A lead means little if another run leads on other queries, labels or measures, if it is smaller than the "
            "queries can detect, or if nobody judged what the runs retrieve. Each of these is checked, and what the "
            "checks found is listed here."
        ),
        "The best of many means is too high on average, because it was picked for being high; this is corrected for.",
    ),
    sources=(
        (
            "Craswell, Mitra, Yilmaz, Campos & Lin 2021, MS MARCO: Benchmarking ranking models in the large-data "
            "regime. DOI 10.1145/3404835.3462804"
        ),
    ),
    content=_content,
    is_open=True,
)
