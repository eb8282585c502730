"""The paired randomization test, Fisher's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.measures import Scale
from runoff.significance._base import Paired, SignificanceResult, SignificanceTest
from runoff.significance._intervals import mean_and_error, student_interval
from runoff.significance._resampling import BLOCK_CELLS, blocks, flips, on_grid


@dataclass(frozen=True)
class Randomization(SignificanceTest):
    """Asks how often the means would differ as much if the two runs were exchanged at random for each query.

        p = (hits + 1) / (trials + 1), hits the random signs with |mean(+-d)| >= |mean(d)|
        p = hits / 2^m over all signs of the m differences that are not 0, where 2^m is within the trials

    The statistic and the effect are the mean difference; the interval is Student's.

    Fisher 1935, The design of experiments, section 21; for retrieval: Smucker, Allan & Carterette 2007, A comparison of
    statistical significance tests for information retrieval evaluation, https://doi.org/10.1145/1321440.1321528

    >>> result = Randomization().compare([0.2, 0.5, 0.1, 0.4], [0.5, 0.6, 0.5, 0.6])
    >>> result.p, result.method, result.trials
    (0.125, 'exact', 16)
    """

    name: ClassVar[str] = "randomization"
    label: ClassVar[str] = "randomization test"
    description: ClassVar[str] = (
        "Asks how often the means would differ as much if the two runs were exchanged at random for each query."
    )
    source: ClassVar[str] = (
        "Smucker, Allan & Carterette 2007, A comparison of statistical significance tests for information retrieval "
        "evaluation, https://doi.org/10.1145/1321440.1321528"
    )
    needs: ClassVar[Scale] = "interval"
    needs_reason: ClassVar[str] = "it takes means of differences"
    effect_name: ClassVar[str] = "mean difference"

    def _compare(self, paired: Paired) -> SignificanceResult:
        mean, error = mean_and_error(paired.differences)
        left = paired.differences[paired.differences != 0.0]
        m = len(left)
        exact = 2**m <= paired.trials
        trials = 2**m if exact else paired.trials
        hits = flip_hits(left, trials=trials, seed=None if exact else paired.seed)
        return SignificanceResult(
            name=self.name,
            statistic=mean,
            p=hits / trials if exact else (hits + 1) / (trials + 1),
            effect=mean,
            effect_name=self.effect_name,
            effect_ci95=student_interval(mean, error, paired.n),
            n=paired.n,
            n_used=paired.n,
            method="exact" if exact else "sampled",
            trials=trials,
            seed=None if exact else paired.seed,
        )


def flip_hits(
    differences: NDArray[np.float64], *, trials: int, seed: int | None, block_cells: int = BLOCK_CELLS
) -> int:
    """How many signs of the differences give a sum at least as far from 0; with no seed, of all signs in order."""
    m = len(differences)
    if not m:
        return trials
    whole, _ = on_grid(differences, m)
    bar = abs(float(whole.sum())) - m
    return sum(
        int((np.abs(sums) >= bar).sum()) for sums in flip_sums(whole, trials=trials, seed=seed, block_cells=block_cells)
    )


def flip_sums(
    whole: NDArray[np.float64], *, trials: int, seed: int | None, block_cells: int = BLOCK_CELLS
) -> Iterator[NDArray[np.float64]]:
    """Sums of whole numbers with their signs flipped at random, block after block; with no seed, all flips in order.

    All sums are whole numbers below 2^53: the product is exact, however it is split.
    """
    m, observed = len(whole), float(whole.sum())
    for first, count in blocks(trials, m, block_cells):
        flipped = all_flips(first, count, m) if seed is None else flips(seed, first, count, m)
        yield observed - 2.0 * (flipped.astype(np.float64) @ whole)


def all_flips(first: int, count: int, width: int) -> NDArray[np.uint8]:
    """The binary digits of first, first + 1, ...: every choice of signs once; the first is the observed one."""
    numbers = np.arange(first, first + count, dtype=np.int64)
    return ((numbers[:, None] >> np.arange(width)) & 1).astype(np.uint8)
