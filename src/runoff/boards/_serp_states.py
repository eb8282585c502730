"""Every SERP of a depth, as a list of grades."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.tables.serps import Serps

State: TypeAlias = tuple[int, ...]

MOST_CELLS: Final = 1 << 21
"""Lists times ranks: all lists of 16 ranks that are relevant or not, or 1,447 ranks with one relevant document."""
HIGHEST_GRADE: Final = 127
"""A grade is stored as int8."""


def all_states(grades: Sequence[int], limits: Sequence[int] | None, depth: int) -> NDArray[np.int8]:
    """All lists of `depth` grades, states x depth, best first; no more of each grade above 0 than its limit.

    >>> all_states((0, 1), None, 2).tolist()
    [[1, 1], [1, 0], [0, 1], [0, 0]]
    >>> all_states((0, 1), (1,), 3).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
    """
    _check_number(len(grades), limits, depth)
    choices = np.array([*reversed(grades[1:]), 0], dtype=np.int8)
    states = np.zeros((1, depth), dtype=np.int8)
    most = [depth] * (len(grades) - 1) if limits is None else list(reversed(limits))
    left = np.array([[*most, depth]], dtype=np.int64)
    for rank in range(depth):
        parents, choice = np.nonzero(left)
        states, left = states[parents], left[parents]
        states[:, rank] = choices[choice]
        left[np.arange(len(left)), choice] -= choice < len(grades) - 1
    return states


def count_states(grades: int, limits: Sequence[int] | None, depth: int) -> int:
    """How many lists there are, without making them.

    >>> count_states(2, None, 10), count_states(2, (1,), 100), count_states(3, (1, 1), 3)
    (1024, 101, 13)
    """
    if limits is None:
        return int(grades**depth)
    ways = [1] + [0] * depth  # ways[used]: lists of the grades so far that fill `used` ranks
    for limit in limits:
        ways = [
            sum(ways[used - more] * math.comb(depth - used + more, more) for more in range(min(limit, used) + 1))
            for used in range(depth + 1)
        ]
    return sum(ways)


def serps_of_states(states: NDArray[np.int8], limits: Sequence[int] | None, *, highest: int) -> Serps:
    """A run whose lists are the states, for queries with as many documents of each grade as the limits say.

    Without limits each query has as many documents of every grade as ranks.
    """
    count, depth = states.shape
    judged = np.zeros((count, highest + 1), dtype=np.int64)
    used = [1 + at for at in range(highest)] if limits is None or len(limits) == highest else [highest]
    judged[:, used] = depth if limits is None else np.asarray(limits)
    return Serps(
        run="every SERP",
        query_ids=tuple(map(str, range(1, count + 1))),
        grades=states,
        retrieved=np.full(count, depth, dtype=np.int64),
        judged=judged,
        depth_tied=np.zeros(count, dtype=np.bool_),
        tie_rule="trec_eval",
    )


def _check_number(grades: int, limits: Sequence[int] | None, depth: int) -> None:
    """Refuse what would take too long."""
    most = MOST_CELLS // depth
    # A look at the depth and at one grade first: the exact number itself can take long to find.
    is_deep = depth >= most or (limits is None and grades > 1 and depth > most.bit_length())
    if (
        is_deep
        or (limits is not None and math.comb(depth, min(max(limits), depth // 2)) > most)
        or count_states(grades, limits, depth) > most
    ):
        raise UsageError(
            f"all lists of {depth:,} ranks with {grades} grades are too many to look at; expected at most 16 ranks "
            "that are relevant or not; take a smaller cutoff, fewer grades, or say how many documents are relevant"
        )
