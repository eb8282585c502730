"""Whether a promise is refuted: an observed share against the level that was promised, for many promises at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from runoff.errors import UsageError
from runoff.significance import Family, correct

PromiseKind = Literal["at most", "at least", "zero", "none"]
PROMISE_KINDS: Final = get_args(PromiseKind)
CalibrationWord = Literal["not refuted", "conservative", "off", ""]
ERROR: Final = 0.05
"""The chance that some promise of a whole table that is kept is called off."""
Z95: Final = 1.959963984540054


@dataclass(frozen=True, kw_only=True)
class Observation:
    """What was counted on simulated boards, or what their mean was.

    kind    at most: an error's share, promised to be `level` or less; at least: a coverage or power; zero: a bias, in
            the measure's own unit; none: nothing is promised, a power for example
    level   what is promised; None where nothing is
    boards  how many were counted
    mean    the share of them, or the mean of a bias
    error   Monte Carlo standard error of the mean
    """

    kind: PromiseKind
    level: float | None
    boards: int
    mean: float
    error: float

    def __post_init__(self) -> None:
        if self.kind not in PROMISE_KINDS:
            raise UsageError(f"kind={self.kind!r} is unknown; expected one of {', '.join(PROMISE_KINDS)}; choose one")
        if (self.level is None) != (self.kind == "none"):
            raise UsageError(f"a promise of kind '{self.kind}' with the level {self.level}; expected a level just then")


@dataclass(frozen=True, kw_only=True)
class CalibrationVerdict:
    """What is decided about one promise.

    word    not refuted: the boards do not show that it is broken, which does not prove that it holds; conservative: on
            the safe side by more than chance; off: on the other side by more than chance; nothing where nothing was
            promised or no board counted
    ci95    95% interval of the mean: Wilson's for a share, the normal one for a bias
    off_by  the mean minus the level; None where nothing is promised
    """

    word: CalibrationWord
    ci95: tuple[float, float]
    off_by: float | None


def calibration_verdicts(observations: Sequence[Observation]) -> tuple[CalibrationVerdict, ...]:
    """Decide on all promises of a table.

    Each is tested on either side, exactly by the binomial law where it is a share; the p-values of each side are
    corrected by Holm over the table, so that with 95% no promise that is kept is called off.

    Wilson 1927, Probable inference, https://doi.org/10.1080/01621459.1927.10502953; Holm 1979

    >>> kept = Observation(kind="at most", level=0.05, boards=1000, mean=0.055, error=0.0072)
    >>> broken = Observation(kind="at most", level=0.05, boards=1000, mean=0.09, error=0.009)
    >>> [(one.word, round(one.off_by, 3)) for one in calibration_verdicts([kept, broken])]
    [('not refuted', 0.005), ('off', 0.04)]
    """
    tested = [
        place for place, observation in enumerate(observations) if observation.kind != "none" and observation.boards
    ]
    sides = [_sides(observations[place]) for place in tested]
    bad, safe = (_corrected([pair[side] for pair in sides]) for side in (0, 1))
    words: dict[int, CalibrationWord] = {
        place: "off" if worse < ERROR else "conservative" if better < ERROR else "not refuted"
        for place, worse, better in zip(tested, bad, safe, strict=True)
    }
    return tuple(
        CalibrationVerdict(
            word=words.get(place, ""),
            ci95=_interval(observation),
            off_by=None if observation.level is None else observation.mean - observation.level,
        )
        for place, observation in enumerate(observations)
    )


def wilson(share: float, count: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share of `count`.

    >>> [round(end, 4) for end in wilson(0.05, 1000)]
    [0.0381, 0.0653]
    """
    if not count:
        return 0.0, 1.0
    square = Z95**2 / count
    middle = (share + square / 2) / (1.0 + square)
    half = Z95 * math.sqrt(share * (1.0 - share) / count + square / (4.0 * count)) / (1.0 + square)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def _interval(observation: Observation) -> tuple[float, float]:
    if observation.kind == "zero":
        return observation.mean - Z95 * observation.error, observation.mean + Z95 * observation.error
    return wilson(observation.mean, observation.boards)


def _sides(observation: Observation) -> tuple[float, float]:
    """P-values of a broken promise and of one that is kept with room to spare."""
    from scipy.special import bdtr, bdtrc, ndtr

    level = observation.level or 0.0
    if observation.kind == "zero":
        z = (
            abs(observation.mean) / observation.error
            if observation.error > 0.0
            else math.inf
            if observation.mean
            else 0.0
        )
        return float(2.0 * ndtr(-z)), 1.0
    hits = round(observation.mean * observation.boards)
    above = float(bdtrc(hits - 1, observation.boards, level)) if hits else 1.0
    below = float(bdtr(hits, observation.boards, level))
    return (above, below) if observation.kind == "at most" else (below, above)


def _corrected(p: list[float]) -> list[float]:
    if not p:
        return []
    capped = [min(max(value, 0.0), 1.0) for value in p]
    corrected: list[float] = correct(capped, correction="holm", family=Family("promises", len(p))).p.tolist()
    return corrected
