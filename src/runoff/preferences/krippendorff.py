"""Krippendorff's alpha for nominal values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.errors import UsageError


def nominal_alpha(counts: ArrayLike, *, symmetric: tuple[int, int] | None = None) -> float:
    """How far assessors agree beyond chance: 1 is full agreement, 0 is chance, below 0 is worse than chance.

        alpha  =  1 - observed disagreement / expected disagreement

        observed  =  1/n  sum over units of  sum over c != k of  n_uc n_uk / (m_u - 1)
        expected  =  1/(n (n - 1))  sum over c != k of  n_c n_k

    counts     units x values: how many assessors gave each value; m_u is a unit's sum, n that of all units with m_u of
               2 or more, and units with fewer have no part in it
    symmetric  two values whose names could be exchanged in any unit, such as which of two documents is called the
               first: each is then expected as often as the other

    NaN where no unit has two assessors, or all values are the same, so that no disagreement could be expected.

    Krippendorff 2004, Content Analysis, 2nd ed., chapter 11, ISBN 978-0-7619-1545-4; Hayes & Krippendorff 2007,
    https://doi.org/10.1080/19312450709336664

    >>> round(nominal_alpha([[2, 0], [1, 1], [0, 2], [0, 2]]), 4)
    0.5333
    """
    table = np.array(counts, dtype=np.float64)
    if table.ndim != 2 or (table < 0).any():
        raise UsageError(f"counts of shape {table.shape} cannot be used; expected units x values, none below 0")
    table = table[table.sum(axis=1) >= 2]
    sizes = table.sum(axis=1)
    n = float(sizes.sum())
    if not n:
        return float("nan")
    observed = float(((sizes**2 - (table**2).sum(axis=1)) / (sizes - 1)).sum()) / n
    totals: NDArray[np.float64] = table.sum(axis=0)
    if symmetric is not None:
        totals[list(symmetric)] = totals[list(symmetric)].mean()
    expected = float(n**2 - (totals**2).sum()) / (n * (n - 1))
    return 1.0 - observed / expected if expected > 0.0 else float("nan")
