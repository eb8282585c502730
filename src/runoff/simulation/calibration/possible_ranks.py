"""The decisions about all pairs of a board: the possible ranks of all runs at once, of the best and of the last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np

from runoff.boards import rank_sets
from runoff.simulation.calibration._base import TRUTHS, Promise, Quantity, Seen, Settings, drawn, drawn_seed
from runoff.simulation.calibration._source import SAME, DrawnBoard, Source, as_scores

RECENTRED: Final = "scores of the data, moved to the same mean"


class PossibleRanks(Quantity):
    """How often the possible ranks of every run hold its true rank, and those of the truly best and last runs do.

    A run that truly ties has all ranks of the tie. Scores of the data that are moved to the same mean are as skewed as
    they are, and so are their differences: signs that are flipped at random do not know that, so nothing is promised.
    """

    name: ClassVar[str] = "rank_sets"
    title: ClassVar[str] = "Possible ranks hold the true ones"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """All runs at once, the best and the last, per kind of truth."""
        level = 1.0 - settings.policy.alpha
        return [
            *(
                Promise(key=f"{part}_{key}", label=f"{who}, {words}", kind="at least", level=level)
                for key, words in TRUTHS.items()
                for part, who in (("all", "of all runs at once"), ("best", "of the best"), ("last", "of the last"))
            ),
            Promise(
                key="all_recentred",
                label=f"of all runs at once, {RECENTRED}",
                kind="at least",
                level=level,
                promised=False,
            ),
        ]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """What one board of each kind says."""
        boards = drawn(source, queries, rng, settings)
        seen: dict[str, bool] = {}
        for key, board in boards.items():
            (seen[f"all_{key}"], seen[f"best_{key}"], seen[f"last_{key}"]) = self._held(board, rng, settings)
        data = boards["data"]
        moved = DrawnBoard(scores=as_scores(data.scores.values - data.truth), truth=np.zeros(len(data.truth)))
        seen["all_recentred"] = self._held(moved, rng, settings)[0]
        return seen

    def _held(self, board: DrawnBoard, rng: np.random.Generator, settings: Settings) -> tuple[bool, bool, bool]:
        """Whether the sets of all runs, of the best and of the last hold every rank that is truly theirs."""
        decisions = rank_sets(board.scores, alpha=settings.policy.alpha, trials=settings.trials, seed=drawn_seed(rng))
        truth, runs = board.truth, len(board.truth)
        first = 1 + (truth[None, :] > truth[:, None] + SAME).sum(axis=1)
        last = runs - (truth[None, :] < truth[:, None] - SAME).sum(axis=1)
        held = (decisions.rank_sets[:, 0] <= first) & (last <= decisions.rank_sets[:, 1])
        return bool(held.all()), bool(held[first == 1].all()), bool(held[last == runs].all())
