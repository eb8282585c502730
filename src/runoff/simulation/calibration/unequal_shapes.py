"""The significance tests on two runs with the same mean and different distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np

from runoff.significance import SIGNIFICANCE_TESTS
from runoff.simulation.calibration._base import Promise, Quantity, Seen, Settings, drawn_seed
from runoff.simulation.calibration._source import Source
from runoff.simulation.calibration._tilt import tilted_weights

TRIES: Final = 20
OF_MEANS: Final = ("t", "randomization", "bootstrap")
"""The tests that are about means; the others ask something else, which need not be so where means are equal."""


class UnequalShapes(Quantity):
    """How often each test is significant where the means are the same but gains are not the mirror of losses.

    Queries are drawn with the weights under which the two means are equal (`tilted_weights`). One run may win many
    queries by little and lose few by much: equal means, and a rank test that says otherwise is right by its own lights.
    """

    name: ClassVar[str] = "shapes"
    title: ClassVar[str] = "Tests of two runs with the same mean, as skewed as the data"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """One per test."""
        level = settings.policy.alpha
        return [
            Promise(
                key=test.name,
                label=test.name.replace("_", " "),
                kind="at most",
                level=level,
                promised=test.name in OF_MEANS,
            )
            for test in SIGNIFICANCE_TESTS
        ]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """Whether each test is significant on one pair."""
        for _ in range(TRIES):
            pair = source.values[:, source.pair(rng)]
            weights = tilted_weights(pair[:, 1] - pair[:, 0])
            if weights is not None:
                break
        else:
            return {}
        values = pair[rng.choice(len(pair), size=queries, p=weights)]
        seed = drawn_seed(rng)
        return {
            test.name: test.compare(*values.T, seed=seed, trials=settings.trials).p < settings.policy.alpha
            for test in SIGNIFICANCE_TESTS
        }
