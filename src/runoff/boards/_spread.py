"""Work on blocks of queries, in this process or on a cluster: a few blocks at a time, and their sums come back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeAlias

from numpy.typing import NDArray

Spread: TypeAlias = Callable[[Callable[[Any, Any], NDArray[Any]], Sequence[Any], Sequence[Any]], Iterator[NDArray[Any]]]
"""Calls a function on every block for the first thing asked, then on every block for the next, here or elsewhere."""

Progress: TypeAlias = Callable[[int, int], object]
"""Called with how much is done, and of how much."""

BLOCKS_AT_ONCE = 8
"""Blocks of a board that are on a cluster at a time."""


def here(function: Callable[..., Any], blocks: Sequence[object], requests: Sequence[object]) -> Iterator[Any]:
    """The work in this process."""
    return (function(block, request) for request in requests for block in blocks)


def summed(
    spread: Spread,
    function: Callable[[Any, Any], NDArray[Any]],
    lows: Sequence[int],
    block_of: Callable[[int], object],
    requests: Sequence[Any],
    *,
    held: int,
    progress: Progress | None = None,
) -> Iterator[NDArray[Any]]:
    """For everything that is asked the sum of what a function gives for each block of a board.

    lows, block_of  the first queries of the blocks, and what makes a block
    held            sums that are held while the blocks go by; more of them are found in further rounds
    progress        called with the pieces of work that are done, and all

    Sums must be exact in any order: of whole numbers.

    >>> import numpy as np
    >>> def block_of(low):
    ...     return np.arange(low, low + 2)
    >>> sums = summed(here, lambda block, factor: factor * block, [0, 2, 4], block_of, [1, 10], held=1)
    >>> [one.tolist() for one in sums]
    [[6, 9], [60, 90]]
    """
    total, done = len(lows) * len(requests), 0

    def counted(parts: Iterator[NDArray[Any]]) -> Iterator[NDArray[Any]]:
        nonlocal done
        for part in parts:
            done += 1
            if progress is not None:
                progress(done, total)
            yield part

    at_once = BLOCKS_AT_ONCE
    if len(lows) <= at_once:  # nothing has to wait
        parts = counted(spread(function, [block_of(low) for low in lows], requests))
        for _ in requests:
            yield sum(islice(parts, len(lows) - 1), next(parts))
        return
    for start in range(0, len(requests), held):
        some = requests[start : start + held]
        sums: list[Any] = [0] * len(some)
        for first in range(0, len(lows), at_once):
            blocks = [block_of(low) for low in lows[first : first + at_once]]
            parts = counted(spread(function, blocks, some))
            for place in range(len(some)):
                sums[place] = sum(islice(parts, len(blocks)), sums[place])
        yield from sums
