"""What the tests take: checked once, here, and trusted by all that comes after."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.errors import UsageError

LARGEST_SCORE = 1e100  # sums and squares of larger numbers overflow
TIE_UNIT = 1e-10  # of the largest score: differences are compared in whole numbers of this


@dataclass(frozen=True, eq=False, kw_only=True)
class Paired:
    """Checked input of a test: scores (n,) of both runs for the same queries, their differences, seed and trials."""

    champion: NDArray[np.float64]
    challenger: NDArray[np.float64]
    differences: NDArray[np.float64]
    seed: int
    trials: int

    @property
    def n(self) -> int:
        """The number of queries."""
        return len(self.differences)

    @cached_property
    def whole(self) -> NDArray[np.int64]:
        """The differences as whole numbers, so that equal ones are equal; see `whole_differences`."""
        return whole_differences(self.champion, self.challenger)


def whole_differences(champion: NDArray[np.float64], challenger: NDArray[np.float64]) -> NDArray[np.int64]:
    """Challenger minus champion in whole numbers of 1e-10 of the largest score.

    Ties are ties of the measure: 0.3 - 0.2 and 0.2 - 0.1 are the same difference, and float64 does not know it.

    >>> whole_differences(np.array([0.2, 0.1]), np.array([0.3, 0.2])).tolist()
    [3333333333, 3333333333]
    """
    size = max(float(np.abs(scores).max(initial=0.0)) for scores in (champion, challenger))
    return in_units(challenger - champion, size)


def in_units(differences: NDArray[np.float64], size: float) -> NDArray[np.int64]:
    """Differences in whole numbers of 1e-10 of `size`, the largest score that they are of; 0 if that is 0."""
    if size == 0.0:
        return np.zeros(differences.shape, dtype=np.int64)
    mantissa, exponent = math.frexp(size)  # so that the unit of very small scores does not vanish
    return np.rint(np.ldexp(differences, -exponent) / (TIE_UNIT * mantissa)).astype(np.int64)


def check_paired(champion: ArrayLike, challenger: ArrayLike, *, seed: int, trials: int) -> Paired:
    """Refuse scores that cannot be compared query by query."""
    check_sampling(seed, trials)
    first, second = (np.asarray(scores, dtype=np.float64) for scores in (champion, challenger))
    if first.ndim != 1 or first.shape != second.shape or not first.size:
        raise UsageError(
            f"the champion's scores have shape {first.shape} and the challenger's {second.shape}; "
            "expected one score per query from each, for the same queries; score both runs on the same query set"
        )
    bad = [int((~(np.abs(scores) <= LARGEST_SCORE)).sum()) for scores in (first, second)]
    if any(bad):
        raise UsageError(
            f"{bad[0]:,} scores of the champion and {bad[1]:,} of the challenger, of {len(first):,} each, are "
            f"undefined or beyond {LARGEST_SCORE:g}; expected finite numbers; leave those queries out of both runs"
        )
    return Paired(champion=first, challenger=second, differences=second - first, seed=int(seed), trials=int(trials))


def check_matrix(values: ArrayLike) -> NDArray[np.float64]:
    """Refuse a score matrix that is not queries x runs of finite numbers."""
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2 or not matrix.size:
        raise UsageError(
            f"the score matrix has shape {matrix.shape}; expected queries in rows and runs in columns, at least one of "
            "each; give Scores.values"
        )
    bad = int((~(np.abs(matrix) <= LARGEST_SCORE)).sum())
    if bad:
        raise UsageError(
            f"{bad:,} of the {matrix.size:,} scores in the matrix are undefined or beyond {LARGEST_SCORE:g}; expected "
            "finite numbers; leave those queries out"
        )
    return matrix


def check_sampling(seed: int, trials: int) -> None:
    """Refuse a seed below 0 and fewer than one trial."""
    for what, value, least in (("seed", seed, 0), ("trials", trials, 1)):
        if not is_whole(value, least):
            raise UsageError(f"{what}={value!r} cannot be used; expected a whole number of {least} or more")


def is_whole(value: object, least: int) -> bool:
    """Whether a value is a whole number of at least `least`; True and False are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and int(value) >= least
