"""Families of tests: corrections, and the randomised Tukey HSD."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np

from runoff.significance import CORRECTIONS, Family, correct, t_all_pairs, tukey_hsd
from runoff.significance.corrections import spoken_correction
from runoff.simulation.calibration._base import Promise, Quantity, Seen, Settings, drawn_seed
from runoff.simulation.calibration._source import SAME, Source, draw_board

TUKEY_TRIALS: Final = 100


class Families(Quantity):
    """How often anything in a family is significant that should not be.

    Boards of runs that are all the same, by dealing out the scores of each query, and boards where the better half
    is. A champion meets all others by t tests; Tukey HSD looks at all pairs.
    """

    name: ClassVar[str] = "families"
    title: ClassVar[str] = "Any false alarm in a family"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """One per correction, and Tukey HSD on both kinds of boards."""
        level = settings.policy.alpha
        return [
            Promise(
                key="none", label="t, not corrected, runs all the same", kind="at most", level=level, promised=False
            ),
            *(
                Promise(key=name, label=f"t, {spoken_correction(name)}, runs all the same", kind="at most", level=level)
                for name in CORRECTIONS
            ),
            Promise(key="tukey", label="Tukey HSD, runs all the same", kind="at most", level=level),
            Promise(key="tukey_half", label="Tukey HSD, the better half the same", kind="at most", level=level),
        ]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """Whether there is a false alarm on one board of each kind."""
        alpha, trials = settings.policy.alpha, min(settings.trials, TUKEY_TRIALS)
        runs = min(settings.runs, source.values.shape[1])
        board = draw_board(source, queries, rng, runs=runs)
        p = t_all_pairs(board.scores.values).p[0, 1:]
        seen = {"none": bool((p < alpha).any())}
        for name in CORRECTIONS:
            seen[name] = bool((correct(p, correction=name, family=Family("challengers", len(p))).p < alpha).any())
        tukey = tukey_hsd(board.scores.values, seed=drawn_seed(rng), trials=trials)
        seen["tukey"] = bool((tukey.p < alpha).any())
        half = draw_board(source, queries, rng, runs=runs, equal=max(runs // 2, 2))
        same = np.abs(half.truth[:, None] - half.truth[None, :]) <= SAME
        seen["tukey_half"] = bool(
            (tukey_hsd(half.scores.values, seed=drawn_seed(rng), trials=trials).p[same] < alpha).any()
        )
        return seen
