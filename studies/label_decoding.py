"""Decode labels from weighed sums of them, which may be rounded: for `label_attacks`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ROUNDS: Final = 25
SMALLEST: Final = 1e-9
"""Of variances and chances."""


@dataclass(frozen=True, eq=False)
class Sums:
    """Weighed sums of unknowns.

    rows    a weight per sum and unknown
    values  the sums, as far as they are known
    errors  the variances of their errors, if these are about normal
    widths  how far a sum is off at most, because it was rounded; 0 if the error is normal
    """

    rows: Floats
    values: Floats
    errors: Floats
    widths: Floats


def chances_of(sums: Sums, *, prior: float) -> Floats:
    """The chance that each unknown is 1 and not 0, by expectation propagation.

    prior  the chance before anything is known

    Minka 2001, Expectation propagation for approximate Bayesian inference, https://doi.org/10.48550/arXiv.1301.2294

    >>> rows = np.array([[1, 0.5, 0.25], [1, 1, 0]])
    >>> known = Sums(rows, np.array([1.25, 1.0]), np.full(2, 1e-4), np.zeros(2))
    >>> chances_of(known, prior=0.5).round(3).tolist()
    [1.0, 0.0, 1.0]
    """
    rows, unknowns = sums.rows, sums.rows.shape[1]
    values, weights = sums.values, 1 / sums.errors
    variance = prior * (1 - prior)
    # Where the unit is larger than what a sum varies by, an error is not normal: most sums are rounded to one number.
    coarse = np.flatnonzero(2 * sums.widths > np.sqrt((rows**2).sum(axis=1) * variance))
    values, weights = values.copy(), weights.copy()
    weights[coarse] = SMALLEST
    site_precision, site_shift = np.full(unknowns, 1 / variance), np.full(unknowns, prior / variance)
    logit, chances = math.log(prior / (1 - prior)), np.full(unknowns, prior)
    fixed = np.ones(len(rows), dtype=np.bool_)
    fixed[coarse] = False
    information = rows[fixed].T @ (rows[fixed] * weights[fixed, None])
    for number in range(ROUNDS):
        of_coarse = rows[coarse].T @ (rows[coarse] * weights[coarse, None])
        covariance = np.linalg.inv(information + of_coarse + np.diag(site_precision))
        means = covariance @ (rows.T @ (weights * values) + site_shift)
        variances = np.maximum(covariance.diagonal(), SMALLEST**2)
        cavity = np.maximum(1 / variances - site_precision, SMALLEST)
        centre = (means / variances - site_shift) / cavity
        before = chances
        chances = 1 / (1 + np.exp(-np.clip(logit + (2 * centre - 1) * cavity / 2, -35, 35)))
        tilted = np.maximum(chances * (1 - chances), 1e-8)
        is_wide = 1 / tilted - cavity < 0.1
        new_precision = np.clip(1 / tilted - cavity, 0.1, 1e8)
        new_shift = np.where(is_wide, 0.1 * chances, chances / tilted - cavity * centre)
        site_precision = (site_precision + new_precision) / 2
        site_shift = (site_shift + new_shift) / 2
        if len(coarse):
            of_rows = rows[coarse]
            spread = np.maximum(np.einsum("ij,ij->i", of_rows @ covariance, of_rows), SMALLEST)
            new_weights, new_values = _within(
                sums.values[coarse], sums.widths[coarse], of_rows @ means, spread, weights[coarse], values[coarse]
            )
            moved = (weights[coarse] * values[coarse] + new_weights * new_values) / 2
            weights[coarse] = (weights[coarse] + new_weights) / 2
            values[coarse] = moved / weights[coarse]
        # Coarse sums say nothing in the first rounds.
        if number > 5 and np.abs(chances - before).max() < 1e-4:
            break
    return chances


def _within(
    rounded: Floats, widths: Floats, means: Floats, spread: Floats, weights: Floats, values: Floats
) -> tuple[Floats, Floats]:
    """What the limits of rounding say of sums, as normal observations: weights and values.

    means, spread    of the sums, with what the last weights and values said of them
    """
    from scipy.special import ndtr

    precision = np.maximum(1 / spread - weights, 0.01 / spread)
    centre, deviation = (means / spread - weights * values) / precision, 1 / np.sqrt(precision)
    low = np.clip((rounded - widths - centre) / deviation, -8, 8)
    high = np.maximum(np.clip((rounded + widths - centre) / deviation, -8, 8), low + 1e-3)
    mass = np.maximum(ndtr(high) - ndtr(low), 1e-12)
    at_low, at_high = (np.exp(-(ends**2) / 2) / math.sqrt(2 * math.pi) for ends in (low, high))
    shift = (at_low - at_high) / mass
    kept = np.clip(1 + (low * at_low - high * at_high) / mass - shift**2, 1e-3, 1 - 1e-9)
    new_weights = np.maximum(precision * (1 / kept - 1), SMALLEST)
    return new_weights, (precision / kept * (centre + deviation * shift) - precision * centre) / new_weights
