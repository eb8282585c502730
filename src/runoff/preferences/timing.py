"""Timing: how long assessors take for a pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.tables.preferences import ABSENT, Preferences


@dataclass(frozen=True, kw_only=True)
class PairTimes:
    """Times of some judgments: how many are known, their median, and the share below the limit; NaN without any."""

    assessor: str | None
    timed: int
    median: float
    too_fast: float


@dataclass(frozen=True, kw_only=True)
class TimingResult:
    """How long pairs take, over all and by assessor; `below` is the limit, in seconds, for too fast."""

    below: float
    overall: PairTimes
    assessors: tuple[PairTimes, ...]


def timing(table: Preferences, *, below: float = 2.0) -> TimingResult:
    """Seconds per pair, where they are known: the median, and the share that took less than `below` seconds.

    >>> table = Preferences.of([("q", "a", "b", "a", "ann", None, 1.5), ("q", "a", "c", "a", "ann", None, 8.5)])
    >>> timing(table).overall
    PairTimes(assessor=None, timed=2, median=5.0, too_fast=0.5)
    """
    if not below >= 0.0:
        raise UsageError(f"below={below!r} cannot be used; expected seconds, 0 or more; write below=2.0")
    known = np.flatnonzero(~np.isnan(table.seconds))
    seconds, who = table.seconds[known], table.row_assessor[known]
    order = np.lexsort((seconds, who))
    order = order[who[order] != ABSENT]
    starts = np.flatnonzero(np.diff(who[order], prepend=ABSENT))
    parts = np.split(seconds[order], starts[1:]) if starts.size else []
    assessors = [
        _times(part, below, table.assessors[who[order[start]]]) for part, start in zip(parts, starts, strict=True)
    ]
    return TimingResult(below=below, overall=_times(seconds, below, None), assessors=tuple(assessors))


def _times(seconds: NDArray[np.float64], below: float, assessor: str | None) -> PairTimes:
    if not seconds.size:
        return PairTimes(assessor=assessor, timed=0, median=float("nan"), too_fast=float("nan"))
    return PairTimes(
        assessor=assessor,
        timed=len(seconds),
        median=float(np.median(seconds)),
        too_fast=float((seconds < below).mean()),
    )
