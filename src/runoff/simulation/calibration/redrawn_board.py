"""The intervals of a board: of means, of ranks, and the probability of being first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from runoff.boards import stability
from runoff.simulation.calibration._base import Line, Quantity, Seen, Settings, drawn_seed
from runoff.simulation.calibration._source import SAME, Source
from runoff.simulation.calibration._truths import TRUTHS, drawn


class RedrawnBoard(Quantity):
    """How often the intervals of a run, drawn at random from the board, hold its true mean and its true rank.

    A run that truly ties has all ranks of the tie. P(first) is what the bootstrap gives the leader; beside it stands
    how often the leader truly is the best.
    """

    name: ClassVar[str] = "board"
    title: ClassVar[str] = "Intervals of a board"

    def lines(self, settings: Settings) -> Sequence[Line]:
        """Means and ranks per kind of truth, and P(first) of the leader."""
        del settings
        return [
            *(Line(key=f"mean_{key}", label=f"95% interval of a mean, {words}", kind="at least", level=0.95)
              for key, words in TRUTHS.items()),
            *(Line(key=f"rank_{key}", label=f"95% interval of a rank, {words}", kind="at least", level=0.95)
              for key, words in TRUTHS.items() if key != "same"),
            Line(key="p_first", label="P(first) of the leader minus how often it is best, runs as in the data",
                 kind="zero", level=0.0, promised=False),
        ]  # fmt: skip

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """What one board of each kind says of one run."""
        seen: dict[str, float | bool] = {}
        for key, board in drawn(source, queries, rng, settings).items():
            found = stability(board.scores, trials=settings.trials, seed=drawn_seed(rng))
            run = int(rng.integers(len(board.truth)))
            truth = board.truth[run]
            low, high = found.mean_ci95[run]
            seen[f"mean_{key}"] = bool(low <= truth <= high)
            if key != "same":
                first, last = 1 + int((board.truth > truth + SAME).sum()), int((board.truth >= truth - SAME).sum())
                low, high = found.rank_intervals[run]
                seen[f"rank_{key}"] = bool(low <= last and first <= high)
            if key == "data":
                leader = found.order[0]
                seen["p_first"] = float(found.p_first[leader]) - float(board.best[leader])
        return seen
