"""The measures that are compared with IPSO, each cut at its depth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runoff.errors import MeasureError, UsageError
from runoff.measures import BinaryMeasure, ExternalMeasure, Measure, parse_measure

TOPIC_MEASURES: Final = ("RR", "P", "RBP(p=0.5)", "RBP(p=0.8)", "AP", "nDCG")
"""Those of the paper's Figures 5 and 6, in its order."""


def measures_at(named: Sequence[str | Measure], depth: int, *, level: int | None = None) -> tuple[Measure, ...]:
    """The measures beside IPSO at one depth: one without a cutoff is cut at it.

    level  the lowest grade that is relevant, to IPSO and to the measures; None: each measure has its own

    >>> measures_at(["AP", "RR@1", "Rprec"], 10)
    (AP@10, RR@1, Rprec)
    """
    chosen = tuple(_at_depth(one, depth) for one in named)
    for place, measure in enumerate(chosen):
        if isinstance(measure, ExternalMeasure):
            raise UsageError(
                f"{measure} is computed by ir_measures; expected a measure of runoff; choose one, such as AP"
            )
        if measure in chosen[:place]:
            raise UsageError(f"{measure} is asked for twice; expected every measure once; leave one out")
        if level is not None and isinstance(measure, BinaryMeasure) and measure.rel != 1:
            raise UsageError(
                f"{measure} and a relevance level are both given; expected one level for all; leave rel out"
            )
    return chosen


def _at_depth(measure: str | Measure, depth: int) -> Measure:
    """A measure cut at the depth, or as it is if it has a cutoff of its own or takes none."""
    if not isinstance(measure, str):
        return measure @ depth if measure.cutoff is None and measure.cutoff_use != "none" else measure
    if "@" in measure:
        return parse_measure(measure)
    try:
        return parse_measure(f"{measure}@{depth}")
    except MeasureError:
        return parse_measure(measure)  # it takes no cutoff, or says what is wrong with it
