"""The differences of measures beside IPSO, query by query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons.ipso import IpsoResult
from runoff.measures import Measure
from runoff.significance import whole_differences
from runoff.tables.serps import Serps


@dataclass(frozen=True, eq=False, kw_only=True)
class IpsoDifferences:
    """One of the last columns of the paper's Figure 5; rows are the queries of an `IpsoResult`.

    values   float64: the first run's score less the second's; NaN where the measure is undefined for one of them
    favours  int8: 1 the first run, -1 the second, 0 neither
    """

    measure: str
    values: NDArray[np.float64]
    favours: NDArray[np.int8]

    def __post_init__(self) -> None:
        self.values.setflags(write=False)
        self.favours.setflags(write=False)


def ipso_differences(
    result: IpsoResult, first: Serps, second: Serps, measures: Sequence[Measure]
) -> tuple[IpsoDifferences, ...]:
    """What some measures say of the same two runs, for the queries that IPSO compares.

    Moffat & Mackenzie 2024, Figures 5 and 6, https://doi.org/10.1002/asi.24874

    first, second  the SERPs that `result` is of, deep enough for the measures

    >>> from runoff.comparisons import ipso
    >>> from runoff.comparisons._example import serps_from
    >>> from runoff.measures import P, RR
    >>> pair = serps_from("0010001000"), serps_from("0001010000")  # topic 325 of Figure 5
    >>> found = ipso_differences(ipso(*pair, depth=10), *pair, [RR @ 10, P @ 10])
    >>> [(one.measure, round(float(one.values[0]), 2), int(one.favours[0])) for one in found]
    [('RR@10', 0.08, 1), ('P@10', 0.0, 0)]
    """
    compared = set(result.query_ids)
    kept = np.array([query in compared for query in first.query_ids], dtype=np.bool_)
    return tuple(_differences(measure, measure.values(first)[kept], measure.values(second)[kept])
                 for measure in measures)  # fmt: skip


def _differences(measure: Measure, first: NDArray[np.float64], second: NDArray[np.float64]) -> IpsoDifferences:
    defined = ~(np.isnan(first) | np.isnan(second))
    favours = np.zeros(len(first), dtype=np.int8)
    sides = np.sign(whole_differences(second[defined], first[defined])).astype(np.int8)
    favours[defined] = -sides if measure.best == "low" else sides
    return IpsoDifferences(measure=str(measure), values=first - second, favours=favours)
