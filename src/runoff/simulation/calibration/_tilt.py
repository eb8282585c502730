"""Weights of queries under which two runs have the same mean: nearest to the data, and of the data's own shape."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
