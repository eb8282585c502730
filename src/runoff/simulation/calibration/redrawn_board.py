"""The intervals of a board: of means, of ranks, and the probability of being first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from runoff.boards import stability
from runoff.simulation.calibration._base import ALIKE, TRUTHS, Promise, Quantity, Seen, Settings, drawn, drawn_seed
from runoff.simulation.calibration._source import SAME, Source


class RedrawnBoard(Quantity):
    """How often the interval of a mean, of a run drawn at random from the board, holds its true mean.

    Beside it, and not promised: how often the ranks of 95% of the bootstrap samples hold its true rank, of which a run
    that truly ties has several; they are no confidence interval. P(first) is what the bootstrap gives the leader, and
    is compared with how often the leader truly is the best.
    """

    name: ClassVar[str] = "board"
    title: ClassVar[str] = "Intervals of a board"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """Means and ranks per kind of truth, and P(first) of the leader."""
        del settings
        return [
            *(
                Promise(key=f"mean_{key}", label=f"95% interval of a mean, {words}", kind="at least", level=0.95)
                for key, words in TRUTHS.items()
            ),
            *(
                Promise(
                    key=f"rank_{key}",
                    label=f"ranks of 95% of the samples, {words}",
                    kind="at least",
                    level=0.95,
                    promised=False,
                )
                for key, words in TRUTHS.items()
                if key not in ALIKE
            ),
            Promise(
                key="p_first",
                label="P(first) of the leader minus how often it is best, runs as in the data",
                kind="zero",
                level=0.0,
                promised=False,
            ),
        ]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """What one board of each kind says of one run."""
        seen: dict[str, float | bool] = {}
        for key, board in drawn(source, queries, rng, settings).items():
            redrawn = stability(board.scores, trials=settings.trials, seed=drawn_seed(rng))
            run = int(rng.integers(len(board.truth)))
            truth = board.truth[run]
            low, high = redrawn.mean_ci95[run]
            seen[f"mean_{key}"] = bool(low <= truth <= high)
            if key not in ALIKE:
                first, last = 1 + int((board.truth > truth + SAME).sum()), int((board.truth >= truth - SAME).sum())
                low, high = redrawn.rank_intervals[run]
                seen[f"rank_{key}"] = bool(low <= last and first <= high)
            if key == "data":
                leader = redrawn.order[0]
                seen["p_first"] = float(redrawn.p_first[leader]) - float(board.best[leader])
        return seen
