"""Judgments that the same assessor gave twice in one task: they count once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from runoff.tables.ids import Words, mixed
from runoff.tables.preferences import ABSENT, Preferences

_SAME = ("row_query", "left", "right", "choice", "row_assessor", "row_task")


def without_repeats(table: Preferences) -> Preferences:
    """The table without rows that say the same as an earlier one by the same assessor in the same task.

    The same means the same query, sides and preference; how long it took does not matter. Rows without an assessor are
    judgments of their own, however often they stand there. What is left out is counted in `repeated`.

    >>> rows = [("q", "a", "b", "a", "ann"), ("q", "a", "b", "a", "ann"), ("q", "a", "b", "a"), ("q", "a", "b", "a")]
    >>> found = without_repeats(Preferences.of(rows))
    >>> len(found), found.repeated
    (3, 1)
    """
    named = np.flatnonzero(table.row_assessor != ABSENT)
    if not named.size:
        return table
    seed = 0
    while True:
        keys = _keys(table.take(named), seed)
        distinct, places = np.unique(keys, return_inverse=True)
        firsts = np.empty(len(distinct), dtype=np.int64)
        firsts[places[::-1]] = named[::-1]  # of several rows the one written last, the first, stays
        here = firsts[places]
        if all((getattr(table, column)[named] == getattr(table, column)[here]).all() for column in _SAME):
            break
        seed += 1
    keep = np.ones(len(table), dtype=np.bool_)
    keep[named[here != named]] = False
    repeated = int(len(keep) - keep.sum())
    return replace(table.take(keep), repeated=table.repeated + repeated) if repeated else table


def _keys(table: Preferences, seed: int) -> Words:
    """A 64-bit key for each judgment; equal judgments have equal keys, and others almost never."""
    keys = np.full(len(table), seed, dtype=np.uint64)
    for column in _SAME:
        keys = mixed(keys + getattr(table, column).astype(np.uint64))
    return keys
