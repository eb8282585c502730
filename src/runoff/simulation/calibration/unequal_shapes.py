"""The significance tests on two runs with the same mean and different distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from runoff.significance import SIGNIFICANCE_TESTS
from runoff.simulation.calibration._base import Promise, Quantity, Seen, Settings, drawn_seed
from runoff.simulation.calibration._source import Source

KEPT = 0.5  # of the queries' worth that the weights must leave: further from the data, and nothing is learnt of it


def tilted_weights(differences: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Weights w of the queries with sum of w d = 0, or None where they would leave less than half of the queries.

        w in proportion to exp(theta d): of all such weights those nearest to equal ones by Kullback-Leibler

    The runs then have the same true mean, every score is one of the data's, ties stay ties, and the differences stay as
    skewed as they are. Efron 1981, Nonparametric standard errors and confidence intervals (exponential tilting),
    https://doi.org/10.2307/3314608

    >>> weights = tilted_weights(np.array([0.1, 0.1, -0.2, 0.3, -0.1]))
    >>> bool(abs(weights @ np.array([0.1, 0.1, -0.2, 0.3, -0.1])) < 1e-12), round(float(weights.sum()), 9)
    (True, 1.0)
    """
    if not (differences > 0.0).any() or not (differences < 0.0).any():
        return None
    size = float(np.abs(differences).max())
    scaled = differences / size
    low, high = -50.0 * len(scaled), 50.0 * len(scaled)
    for _ in range(200):
        theta = (low + high) / 2
        mean = float(_weights(scaled, theta) @ scaled)
        low, high = (low, theta) if mean > 0.0 else (theta, high)
    weights = _weights(scaled, (low + high) / 2)
    return weights if 1.0 / float(weights @ weights) >= KEPT * len(scaled) else None


def _weights(scaled: NDArray[np.float64], theta: float) -> NDArray[np.float64]:
    powers = theta * scaled
    raw = np.exp(powers - powers.max())
    weights: NDArray[np.float64] = raw / raw.sum()
    return weights


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
