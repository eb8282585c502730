"""The decisions about all pairs of a board: who could be best, and which ranks runs could have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from runoff.boards import rank_sets
from runoff.simulation.calibration._base import Line, Quantity, Seen, Settings, drawn_seed
from runoff.simulation.calibration._source import Source
from runoff.simulation.calibration._truths import TRUTHS, drawn


class BestSets(Quantity):
    """How often every truly best run of a board could be best, by the decisions about all of its pairs."""

    name: ClassVar[str] = "best_set"
    title: ClassVar[str] = "Every truly best run could be best"

    def lines(self, settings: Settings) -> Sequence[Line]:
        """One per kind of truth."""
        del settings
        return [Line(key=key, label=words, kind="at least", level=0.95) for key, words in TRUTHS.items()]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """Whether the set of one board of each kind holds the best."""
        seen = {}
        for key, board in drawn(source, queries, rng, settings).items():
            found = rank_sets(board.scores, trials=settings.trials, seed=drawn_seed(rng))
            seen[key] = bool(found.could_be_best[board.best].all())
        return seen
