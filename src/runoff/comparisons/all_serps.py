"""All SERPs of a small depth: how each stands to each other one, and which are neighbours in that order."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons._inputs import is_count
from runoff.comparisons.ipso_scan import NI, scan
from runoff.errors import UsageError

DEEPEST: Final = 8
"""2^8 SERPs are 65,536 pairs; each step more is four times as many."""


@dataclass(frozen=True, eq=False, kw_only=True)
class AllSerpsResult:
    """The relations between all SERPs of a depth.

    serps      a digit per rank, in the order of the binary numbers: the worst first
    relations  int8, SERPs x SERPs: NS -1, EQUAL 0, NI 1, NONSEPARABLE 2; the row's SERP is the first of the two
    """

    depth: int
    serps: tuple[str, ...]
    relations: NDArray[np.int8]

    def __post_init__(self) -> None:
        self.relations.setflags(write=False)

    @cached_property
    def covers(self) -> NDArray[np.bool_]:
        """bool, SERPs x SERPs: the row's SERP is above the column's, and none is between them."""
        above = self.relations == NI
        steps = above.astype(np.float32)  # counts of SERPs between two, below 2^24: exact
        covers: NDArray[np.bool_] = above & (steps @ steps == 0)
        return covers

    @cached_property
    def steps(self) -> NDArray[np.int64]:
        """int64, SERPs: how many steps lead up from the worst SERP, by the longest way."""
        steps = np.zeros(len(self.serps), dtype=np.int64)
        for place in range(1, len(self.serps)):  # a SERP stands behind all that are below it
            steps[place] = 1 + steps[self.covers[place]].max()
        return steps


def relations_of_all(depth: int) -> AllSerpsResult:
    """How all 2^k SERPs of depth k, of relevant or not at each rank, stand to one another.

    Moffat & Mackenzie 2024, Figures 1 to 3, https://doi.org/10.1002/asi.24874

    >>> result = relations_of_all(2)
    >>> result.serps, result.relations.tolist()[2]
    (('00', '01', '10', '11'), [1, 1, 0, -1])
    >>> result.covers.sum(), result.steps.tolist()
    (np.int64(3), [0, 1, 2, 3])
    """
    if not is_count(depth) or depth > DEEPEST:
        raise UsageError(
            f"depth {depth!r} cannot be used for all SERPs; expected a whole number from 1 to {DEEPEST}; write depth=4"
        )
    states = np.array(list(itertools.product((0, 1), repeat=depth)), dtype=np.int8)
    count = len(states)
    relations = scan(np.repeat(states, count, axis=0), np.tile(states, (count, 1)))[:, -1]
    return AllSerpsResult(
        depth=depth,
        serps=tuple("".join(map(str, state)) for state in states.tolist()),
        relations=relations.reshape(count, count).copy(),
    )
