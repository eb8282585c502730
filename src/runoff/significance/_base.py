"""The contract of a significance test: paired scores in; statistic, p and effect out; no level and no decision.

A test is a frozen value that carries its facts (name, source, the scale it needs) beside its computation. The direction
is challenger minus champion everywhere: a positive effect, or a share above one half, favours the challenger.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.errors import UsageError
from runoff.measures import Scale

LARGEST_SCORE = 1e100  # sums and squares of larger numbers overflow
TIE_UNIT = 1e-10  # of the largest score: differences are compared in whole numbers of this


@dataclass(frozen=True, eq=False, kw_only=True)
class Paired:
    """Checked input of a test: scores (n,) of both runs for the same queries, their differences, seed and trials."""

    n: int
    champion: NDArray[np.float64]
    challenger: NDArray[np.float64]
    differences: NDArray[np.float64]
    seed: int
    trials: int


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
    return Paired(
        n=len(first),
        champion=first,
        challenger=second,
        differences=second - first,
        seed=int(seed),
        trials=int(trials),
    )


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
    for name, value, least in (("seed", seed, 0), ("trials", trials, 1)):
        if not is_whole(value, least):
            raise UsageError(f"{name}={value!r} cannot be used; expected a whole number of {least} or more")


def is_whole(value: object, least: int) -> bool:
    """Whether a value is a whole number of at least `least`; True and False are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and int(value) >= least


Method = Literal["parametric", "exact", "asymptotic", "sampled"]
DEFAULT_TRIALS = 10_000
SMALLEST_P = float(np.finfo(np.float64).tiny)  # what a p-value too small for a float64 is reported as; 0 would be false


@dataclass(frozen=True, kw_only=True)
class SignificanceResult:
    """What one test says of a challenger against a champion.

    name         the test
    statistic    its statistic, as the scipy function of the test returns it
    p            two-sided, above 0 and at most 1
    effect       how large the difference is, challenger against champion, in the terms of `effect_name`
    effect_ci95  95% confidence interval of the effect, (low, high); infinite where one query says nothing
    n            paired queries
    n_used       queries that the test looks at: without ties for sign and signed_rank, else n
    method       where p is from: a parametric law, exact counting, a normal approximation, or random samples
    trials       assignments or samples that were looked at; None where nothing was resampled
    seed         seed of the samples; None where nothing is random
    """

    name: str
    statistic: float
    p: float
    effect: float
    effect_name: str
    effect_ci95: tuple[float, float]
    n: int
    n_used: int
    method: Method
    trials: int | None = None
    seed: int | None = None
    no_effect: float = 0.0
    """The effect that would favour neither run."""

    @property
    def favours(self) -> int:
        """1 if the effect favours higher scores of the challenger, -1 if those of the champion, 0 if neither."""
        return int(np.sign(self.effect - self.no_effect))


@dataclass(frozen=True)
class SignificanceTest(ABC):
    """What every significance test has; a listed test sets the facts and defines `_compare`.

    name, label  as programs and as people write it
    """

    name: ClassVar[str]
    label: ClassVar[str]
    description: ClassVar[str]
    source: ClassVar[str]
    needs: ClassVar[Scale]
    needs_reason: ClassVar[str]
    effect_name: ClassVar[str]

    @abstractmethod
    def _compare(self, paired: Paired) -> SignificanceResult:
        """The result for input that is known to be sound."""

    def compare(
        self, champion: ArrayLike, challenger: ArrayLike, *, seed: int = 0, trials: int = DEFAULT_TRIALS
    ) -> SignificanceResult:
        """Compare two runs on the same queries.

        champion, challenger  scores (n,), one per query, in the same order of queries
        seed, trials          used by the tests that resample; the others ignore them
        """
        return self._compare(check_paired(champion, challenger, seed=seed, trials=trials))


def as_p(p: ArrayLike) -> NDArray[np.float64]:
    """P-values kept above 0, where float64 ends, and at most 1."""
    return np.clip(np.asarray(p, dtype=np.float64), SMALLEST_P, 1.0)


SCALES: tuple[Scale, ...] = ("ordinal", "interval", "ratio")
"""The scale types, each permitting all that those before it do.

Stevens 1946, On the theory of scales of measurement, https://doi.org/10.1126/science.103.2684.677
"""


def permitted(test: SignificanceTest, scale: Scale) -> bool:
    """Whether scores of this scale type may be compared by this test.

    >>> from runoff.significance import BY_NAME
    >>> permitted(BY_NAME["t"], "ordinal"), permitted(BY_NAME["sign"], "ordinal"), permitted(BY_NAME["t"], "ratio")
    (False, True, True)
    """
    return SCALES.index(scale) >= SCALES.index(test.needs)


def permission_reason(test: SignificanceTest, scale: Scale) -> str:
    """Why a test is permitted for scores of this scale type or not, in one sentence.

    >>> from runoff.significance import BY_NAME
    >>> permission_reason(BY_NAME["t"], "ordinal")
    't needs interval scores, because it takes means of differences; these are ordinal, so it is not permitted.'
    """
    answer = "permitted" if permitted(test, scale) else "not permitted"
    return f"{test.name} needs {test.needs} scores, because {test.needs_reason}; these are {scale}, so it is {answer}."
