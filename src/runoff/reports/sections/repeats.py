"""Do the significance tests give the same result on the other half of the queries; in a full report only."""

from __future__ import annotations

from typing import Final

from runoff.reports.sections._base import Content, ReportInputs, Section


def _content(inputs: ReportInputs) -> Content | None:
    if inputs.repeats is None or inputs.reliability is None:
        return None
    shares = [line.agree for line in inputs.reliability.tests if line.aggregate == "mean"]
    first, *more = inputs.repeats.opening(0)
    tested, runs = inputs.reliability.runs, len(inputs.ranks.runs)
    if tested < runs:
        more.append(f"Only the {tested:,} runs with the best means, of {runs:,}, were tested.")
    return Content(
        answer=f"halves agree in {min(shares):.1%} to {max(shares):.1%} of the cases",
        sentence=first,
        paragraphs=tuple(more),
        charts=inputs.repeats.charts(),
        tables=inputs.repeats.grids(),
    )


REPEATS: Final = Section(
    name="repeats",
    label="Repeats",
    question="Do the tests repeat?",
    method=(
        (
            "The queries are split at random into two halves, many times, and every pair of runs is tested on each "
            "half. A test that can be trusted should give the same result on both: name the same better run, and be "
            "significant on both halves or on neither."
        ),
        "Halves have half as many queries, so tests on all queries can be expected to repeat at least as often.",
    ),
    sources=(
        (
            "Craswell, Mitra, Yilmaz, Campos & Lin 2021, MS MARCO: Benchmarking ranking models in the large-data "
            "regime, section 4.3 and Table 4. DOI 10.1145/3404835.3462804"
        ),
    ),
    content=_content,
)
