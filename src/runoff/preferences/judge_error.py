"""Judges' error: how often they err if the label is right, and win ratios corrected for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.preferences.shares import PreferredShare
from runoff.preferences.win_ratios import WinRatiosResult

Values = NDArray[np.float64]

_HALVINGS: Final = 60
"""Of an interval of width 2: what is left is below the spacing of float64."""


@dataclass(frozen=True, kw_only=True)
class JudgeError:
    """How often judges prefer the worse document, as category A implies if the label is the better one of each pair.

    error, ci95  1 - the share in which the label is preferred, and its exact 95% interval; NaN where nothing is decided
    counted      the queries that it is of
    """

    error: float
    ci95: tuple[float, float]
    counted: int

    @property
    def is_below_half(self) -> bool:
        """Whether judges are shown to be better than a coin; else nothing can be corrected."""
        return self.ci95[1] < 0.5


@dataclass(frozen=True, eq=False, kw_only=True)
class CorrectedRatios:
    """How often something is truly better, and the ends of the 95% interval; NaN where nothing can be said."""

    ratios: Values
    low: Values
    high: Values


def implied_error(agrees: PreferredShare) -> JudgeError:
    """The error that category A implies: its top document is the label, and taken to be better than the second one.

    If the label is at times the worse document, judges err less than this says.

    Arabzadeh et al. 2021, section 3.2, https://arxiv.org/abs/2109.00062: "a rough estimate of crowdsourcing error at
    33%", from 640 of 1,868.

    >>> found = implied_error(PreferredShare.of(1228, 640))
    >>> round(found.error, 3), [round(end, 3) for end in found.ci95]
    (0.343, [0.321, 0.365])
    """
    low, high = agrees.ci95
    return JudgeError(error=1.0 - agrees.share, ci95=(1.0 - high, 1.0 - low), counted=agrees.counted)


def corrected_ratios(found: WinRatiosResult, error: JudgeError) -> CorrectedRatios:
    """The win ratios of all pairs of runs, corrected for judges' error."""
    return corrected_values(found.ratios, found.low, found.high, error)


def corrected_share(found: PreferredShare, error: JudgeError) -> CorrectedRatios:
    """A share corrected for judges' error.

    >>> found = corrected_share(PreferredShare.of(2996, 2116), implied_error(PreferredShare.of(1228, 640)))
    >>> [round(float(one), 3) for one in (found.ratios, found.low, found.high)]
    [0.773, 0.721, 0.837]
    """
    low, high = map(np.array, found.ci95)
    return corrected_values(np.array(found.share), low, high, error)


def corrected_values(ratios: Values, low: Values, high: Values, error: JudgeError) -> CorrectedRatios:
    """Observed ratios w, with their intervals, corrected for judges who err with chance e whichever document is better.

        w  =  e + (1 - 2e) t      so      t  =  (w - e) / (1 - 2e),      2t - 1  =  (2w - 1) / (1 - 2e)

    The last is a quotient of two independent estimates, x / y. Its interval holds every s for which 0 is in the
    interval of x - s y, which is made from those of x and y by recovering their variances (Donner & Zou 2012,
    Closed-form confidence intervals for functions of the normal mean and standard deviation, Statistical Methods in
    Medical Research 21(4), 347-359). It holds t = 1/2 exactly where the interval of w does: an error that is
    the same for all pairs moves a ratio away from one half, and changes no test. Values beyond 0 and 1 are cut there.
    """
    nothing = np.full(np.shape(ratios), np.nan)
    if not error.is_below_half:
        return CorrectedRatios(ratios=nothing, low=nothing, high=nothing)
    x, below, above = 2 * ratios - 1, 2 * (ratios - low), 2 * (high - ratios)
    y, less, more = 1 - 2 * error.error, 2 * (error.ci95[1] - error.error), 2 * (error.error - error.ci95[0])

    def lower(s: Values) -> Values:
        return x - s * y - np.hypot(below, s * np.where(s > 0, more, less))

    def upper(s: Values) -> Values:
        return x - s * y + np.hypot(above, s * np.where(s > 0, less, more))

    ends = [(1 + _falls_to_zero(function, np.shape(ratios))) / 2 for function in (lower, upper)]
    unknown = np.isnan(ratios)
    return CorrectedRatios(
        ratios=np.clip((1 + x / y) / 2, 0.0, 1.0),
        low=np.where(unknown, np.nan, ends[0]),
        high=np.where(unknown, np.nan, ends[1]),
    )


def _falls_to_zero(function: Callable[[Values], Values], shape: tuple[int, ...]) -> Values:
    """Where in -1..1 a falling function is 0; an end where it is nowhere."""
    low, high = np.full(shape, -1.0), np.full(shape, 1.0)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        is_right = function(middle) > 0
        low, high = np.where(is_right, middle, low), np.where(is_right, high, middle)
    root: Values = (low + high) / 2
    return root
