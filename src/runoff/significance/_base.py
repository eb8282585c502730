"""The contract of a significance test: paired scores in; statistic, p and effect out; no level and no decision.

A test is a frozen value that carries its facts (name, source, the scale it needs) beside its computation. The direction
is challenger minus champion everywhere: a positive effect, or a share above one half, speaks for the challenger.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.measures import Scale
from runoff.significance._input import Paired, check_paired

Method = Literal["parametric", "exact", "asymptotic", "sampled"]
DEFAULT_TRIALS = 10_000
SMALLEST_P = float(np.finfo(np.float64).tiny)  # what a p-value too small for a float64 is reported as; 0 would be a lie


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
        """1 if the effect speaks for higher scores of the challenger, -1 if for the champion's, 0 if for neither."""
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
