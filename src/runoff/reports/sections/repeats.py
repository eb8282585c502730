"""Do the significance tests say the same on the other half of the queries."""

from __future__ import annotations

from typing import Final

from runoff.reports.sections._base import Content, ReportInputs, Section, nothing


def _content(inputs: ReportInputs) -> Content:
    if inputs.repeats is None or inputs.reliability is None:
        return nothing(inputs.missing.get("repeats", "There is no second run to test the first against."))
    shares = [line.agree for line in inputs.reliability.tests if line.aggregate == "mean"]
    first, *more = inputs.repeats.opening(0)
    return Content(
        answer=f"halves agree in {min(shares):.1%} to {max(shares):.1%} of the cases",
        sentence=first,
        paragraphs=(*more, *_part(inputs.reliability.runs, len(inputs.ranks.runs))),
        charts=inputs.repeats.charts(),
        tables=inputs.repeats.grids(),
    )


def _part(tested: int, runs: int) -> tuple[str, ...]:
    return (f"Of {runs:,} runs the {tested:,} with the best means were tested.",) if tested < runs else ()


REPEATS: Final = Section(
    name="repeats",
    label="Repeats",
    question="Do the tests repeat?",
    method=(
        (
            "The queries are split at random into two halves, many times, and every pair of runs is tested on each "
            "half. A test that can be trusted should say the same on both: name the same better run, and be "
            "significant on both halves or on neither."
        ),
        "Halves have half as many queries, so that tests on all of them can be expected to repeat at least as often.",
    ),
    sources=(
        (
            "Craswell, Mitra, Yilmaz, Campos & Lin 2021, MS MARCO: Benchmarking ranking models in the large-data "
            "regime, section 4.3 and Table 4. DOI 10.1145/3404835.3462804"
        ),
    ),
    content=_content,
)
