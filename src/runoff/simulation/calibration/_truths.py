"""Kinds of boards whose truth is known, for what is said of boards; the hard ones are those where runs are alike."""

from __future__ import annotations

from typing import Final

import numpy as np

from runoff.simulation.calibration._base import Settings
from runoff.simulation.calibration._source import DrawnBoard, Source, draw_board, draw_copies

TRUTHS: Final = {
    "same": "runs all the same",
    "near": "runs nearly the same",
    "copies": "near-copies of one run, all the same",
    "half": "the better half the same",
    "data": "runs as in the data",
}
"""Each kind with its words."""
ALIKE: Final = frozenset({"same", "copies"})
"""The kinds in which all runs truly tie."""
NEAR: Final = 0.9
"""The share of queries in which the scores of nearly equal runs are dealt out anew."""


def drawn(source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> dict[str, DrawnBoard]:
    """One board of each kind."""
    runs = min(settings.runs, source.values.shape[1])
    return {
        "same": draw_board(source, queries, rng, runs=runs),
        "near": draw_board(source, queries, rng, runs=runs, share=NEAR),
        "copies": draw_copies(source, queries, rng, runs=runs),
        "half": draw_board(source, queries, rng, runs=runs, equal=max(runs // 2, 2)),
        "data": draw_board(source, queries, rng, runs=runs, equal=0),
    }
