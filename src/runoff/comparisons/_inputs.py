"""What every comparison checks of its SERPs, once, before anything is computed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runoff.errors import UsageError
from runoff.tables.serps import Serps


def check_same_ground(serps: Sequence[Serps]) -> None:
    """Refuse runs that are not over the same queries in the same order with the same labels."""
    first = serps[0]
    for other in serps[1:]:
        pair = f"runs '{first.run}' and '{other.run}'"
        if other.query_ids != first.query_ids:
            raise UsageError(
                f"{pair} are over different queries ({len(first.query_ids):,} and {len(other.query_ids):,}, or in "
                "another order); expected the same; build both from the same qrels"
            )
        if not np.array_equal(other.judged, first.judged) or other.values != first.values:
            raise UsageError(
                f"{pair} have different numbers of judged documents, or other grades; expected the same labels; build "
                "both from the same qrels"
            )


def check_several(serps: Sequence[Serps]) -> None:
    """Refuse fewer than two runs."""
    if len(serps) < 2:
        raise UsageError(f"{len(serps)} runs cannot be compared with one another; expected at least 2; give more runs")


def is_count(value: object) -> bool:
    """Whether a value is a whole number of 1 or more."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def check_depth(serps: Serps, depth: int) -> None:
    """Refuse a depth that is no count of ranks, or beyond what is kept of some list."""
    if not is_count(depth):
        raise UsageError(f"depth {depth!r} cannot be used; expected a whole number of 1 or more; write depth=10")
    cut_off = int((np.minimum(serps.retrieved, depth) > serps.depth).sum())
    if cut_off:
        raise UsageError(
            f"depth {depth} was asked for, but the SERPs of run '{serps.run}' keep {serps.depth} ranks and "
            f"{cut_off:,} of its lists are longer; build them with a depth of {depth} or use a smaller depth"
        )


def highest_grade(serps: Serps) -> int:
    """The highest grade in the labels or in the SERPs, of fractions its code; 0 if nothing is relevant."""
    in_labels = np.flatnonzero(serps.judged.any(axis=0))
    return max(int(in_labels[-1]) if in_labels.size else 0, int(serps.grades.max(initial=0)), 0)
