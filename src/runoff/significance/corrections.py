"""Corrections for many p-values, each over a named family whose size is kept beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.choices import CorrectionName
from runoff.errors import UsageError
from runoff.phrases import counted
from runoff.significance._base import is_whole

CORRECTION_LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {"bonferroni": "Bonferroni", "holm": "Holm", "benjamini_hochberg": "Benjamini-Hochberg"}
)


def spoken_correction(correction: str) -> str:
    """A correction as people write it, after who found it; any other word, such as `none`, as it is.

    >>> spoken_correction("benjamini_hochberg")
    'Benjamini-Hochberg'
    """
    return CORRECTION_LABELS.get(correction, correction)


@dataclass(frozen=True)
class Family:
    """The set of p-values that a correction is over: what it is called, and how many there are.

    >>> print(Family("all pairs of 5 runs", 10))
    all pairs of 5 runs (10 p-values)
    """

    name: str
    size: int

    def __post_init__(self) -> None:
        if not is_whole(self.size, 1) or not self.name.strip():
            raise UsageError(
                f"a family called {self.name!r} of size {self.size!r} cannot be used; expected a name and a size of 1 "
                "or more; name what the p-values are of, and count them"
            )

    def __str__(self) -> str:
        return f"{self.name} ({counted(self.size, 'p-value')})"


@dataclass(frozen=True, eq=False, kw_only=True)
class CorrectionResult:
    """P-values before (`raw_p`) and after (`p`) a correction, in the given order, with the family it was over."""

    correction: CorrectionName
    family: Family
    raw_p: NDArray[np.float64]
    p: NDArray[np.float64]


def correct(p: ArrayLike, *, correction: CorrectionName, family: Family) -> CorrectionResult:
    """Correct p-values (m,) of a family; those of the family that are not given count as 1.

    >>> result = correct([0.01, 0.04, 0.03], correction="holm", family=Family("outcomes, ESL and RR", 3))
    >>> result.p.tolist(), str(result.family)
    ([0.03, 0.06, 0.06], 'outcomes, ESL and RR (3 p-values)')
    """
    if correction not in _STEPS:
        raise UsageError(f"no correction is called {correction!r}; expected one of {', '.join(CORRECTIONS)}")
    raw = np.array(p, dtype=np.float64)
    if raw.ndim != 1:
        raise UsageError(f"the p-values have shape {raw.shape}; expected a list of them; give each pair once")
    bad = int((~((raw >= 0.0) & (raw <= 1.0))).sum())
    if bad:
        raise UsageError(f"{bad:,} of {len(raw):,} p-values are not from 0 to 1; correct p-values, not statistics")
    if len(raw) > family.size:
        raise UsageError(f"{len(raw):,} p-values for the family {family}; expected no more than its size")
    order = np.argsort(raw, kind="stable")
    corrected = np.empty_like(raw)
    corrected[order] = np.clip(_STEPS[correction](raw[order], family.size), raw[order], 1.0)
    for values in (raw, corrected):
        values.setflags(write=False)
    return CorrectionResult(correction=correction, family=family, raw_p=raw, p=corrected)


def bonferroni(ordered: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """P times the size of the family: no false alarm in the family, whatever the dependence.

    Dunn 1961, Multiple comparisons among means, https://doi.org/10.1080/01621459.1961.10482090
    """
    return ordered * size


def holm(ordered: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """The i-th smallest p times size + 1 - i, never falling: the same promise as Bonferroni, and never larger.

    Holm 1979, A simple sequentially rejective multiple test procedure, https://www.jstor.org/stable/4615733
    """
    return np.maximum.accumulate(ordered * (size - np.arange(len(ordered))))


def benjamini_hochberg(ordered: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """The i-th smallest p times size / i, never above a later one: the expected share of false alarms is bounded.

    Benjamini & Hochberg 1995, Controlling the false discovery rate,
    https://doi.org/10.1111/j.2517-6161.1995.tb02031.x
    """
    scaled = ordered * (size / np.arange(1, len(ordered) + 1))
    return np.minimum.accumulate(scaled[::-1])[::-1]


_STEPS: Mapping[CorrectionName, Callable[[NDArray[np.float64], int], NDArray[np.float64]]] = MappingProxyType(
    {"bonferroni": bonferroni, "holm": holm, "benjamini_hochberg": benjamini_hochberg}
)
CORRECTIONS: tuple[CorrectionName, ...] = tuple(_STEPS)
"""Every correction, in the order of display, from the strictest on."""
