"""The winner's score: its interval, and what the correction leaves of its optimism."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from runoff.boards import winner
from runoff.simulation.calibration._base import TRUTHS, Promise, Quantity, Seen, Settings, drawn, drawn_seed
from runoff.simulation.calibration._source import Source


class Winners(Quantity):
    """How often the interval holds the winner's true mean, and by how much its scores are too good.

    The bias is in units of the measure. It is promised to be small and not to be 0.
    """

    name: ClassVar[str] = "winner"
    title: ClassVar[str] = "The winner's score"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """Interval, optimism and what is left of it, per kind of truth."""
        del settings
        return [
            line
            for key, words in TRUTHS.items()
            for line in (
                Promise(key=f"interval_{key}", label=f"95% interval, {words}", kind="at least", level=0.95),
                Promise(
                    key=f"plain_{key}", label=f"optimism of the mean, {words}", kind="zero", level=0.0, promised=False
                ),
                Promise(
                    key=f"left_{key}", label=f"left after correction, {words}", kind="zero", level=0.0, promised=False
                ),
            )
        ]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """The winner of one board of each kind."""
        seen: dict[str, float | bool] = {}
        for key, board in drawn(source, queries, rng, settings).items():
            result = winner(board.scores, trials=settings.trials, seed=drawn_seed(rng))
            truth = float(board.truth[board.scores.runs.index(result.run)])
            seen[f"interval_{key}"] = result.ci95[0] <= truth <= result.ci95[1]
            seen[f"plain_{key}"] = result.score - truth
            seen[f"left_{key}"] = result.corrected - truth
        return seen
