"""Three kinds of boards whose truth is known, for what is said of boards."""

from __future__ import annotations

from typing import Final

import numpy as np

from runoff.simulation.calibration._base import Settings
from runoff.simulation.calibration._source import DrawnBoard, Source, draw_board

TRUTHS: Final = {
    "same": "runs all the same",
    "half": "the better half the same",
    "data": "runs as in the data",
}
"""Each kind with its words."""


def drawn(source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> dict[str, DrawnBoard]:
    """One board of each kind."""
    runs = min(settings.runs, source.values.shape[1])
    equal = {"same": None, "half": max(runs // 2, 2), "data": 0}
    return {key: draw_board(source, queries, rng, runs=runs, equal=equal[key]) for key in TRUTHS}
