"""The resolution of a board by test: the differences that each test of two of its runs can see."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.boards.board_resolution import BoardResolutionResult, board_resolution
from runoff.boards.resolution_by_test import TESTS, TESTS_OF_MEANS, resolution_by_test
from runoff.errors import UsageError
from runoff.tables.scores import Scores

MOST_PAIRS: Final = 200
"""Pairs whose ranks are looked at; of more pairs so many are drawn."""


@dataclass(frozen=True, kw_only=True)
class BoardResolutionByTestResult:
    """What each test of two runs of a board can see.

    board       the same for the t test, over all pairs
    pairs       how many pairs the tests of ranks and signs were looked at for
    difference  what `needed` is for: the lead of the best mean unless another was asked for
    smallest    per test the smallest true difference found with probability `power`, for the middle pair; None if more
                than half of the pairs can show none
    needed      per test the queries for which `difference` would be the smallest: of the two best runs for their lead,
                else of the middle pair; None if there is none
    """

    board: BoardResolutionResult
    pairs: int
    difference: float
    smallest: Mapping[str, float | None]
    needed: Mapping[str, int | None]


def board_resolution_by_test(
    scores: Scores,
    *,
    difference: float | None = None,
    level: float = 0.05,
    power: float = 0.8,
    best_is_low: bool = False,
    seed: int = 0,
) -> BoardResolutionByTestResult:
    """What a comparison of two runs of a board can see by each test; see `resolution_by_test`.

    The tests of means are looked at for all pairs, the others for 200 pairs at most, drawn by the seed.

    >>> values = np.random.default_rng(0).random((100, 3))
    >>> scores = Scores(measure="AP", query_ids=tuple(map(str, range(100))), runs=("a", "b", "c"), values=values)
    >>> found = board_resolution_by_test(scores, difference=0.05)
    >>> round(found.smallest["t"], 3), round(found.smallest["sign"], 3), found.needed["t"]
    (0.123, 0.129, 594)
    """
    if difference is not None and not (math.isfinite(difference) and difference > 0.0):
        raise UsageError(f"difference={difference!r} cannot be used; expected a number above 0; write 0.01")
    board = board_resolution(scores, level=level, power=power, best_is_low=best_is_low)
    drawn = _drawn_pairs(len(scores.runs), seed)
    found = [
        resolution_by_test(*scores.values[:, pair].T, difference=difference, level=level, power=power) for pair in drawn
    ]
    top = [scores.runs.index(board.first), scores.runs.index(board.second)]
    lead = resolution_by_test(*scores.values[:, top].T, level=level, power=power)
    smallest: dict[str, float | None] = {}
    needed: dict[str, int | None] = {}
    for name in TESTS:
        smallest[name] = board.smallest if name in TESTS_OF_MEANS else _middle([one.smallest[name] for one in found])
        if difference is None:
            needed[name] = lead.needed[name]
        elif name in TESTS_OF_MEANS:
            needed[name] = board.needed(difference)
        else:
            middle = _middle([one.needed[name] for one in found])
            needed[name] = None if middle is None else math.ceil(middle)
    return BoardResolutionByTestResult(
        board=board,
        pairs=len(drawn),
        difference=board.gap if difference is None else difference,
        smallest=smallest,
        needed=needed,
    )


def _drawn_pairs(runs: int, seed: int) -> NDArray[np.intp]:
    """Pairs of columns; all of them where there are no more than 200."""
    pairs = np.column_stack(np.triu_indices(runs, 1))
    if len(pairs) <= MOST_PAIRS:
        return pairs
    chosen = np.random.default_rng(seed).choice(len(pairs), MOST_PAIRS, replace=False)
    return pairs[np.sort(chosen)]


def _middle(values: list[float | None] | list[int | None]) -> float | None:
    """The median, where None is more than any number."""
    middle = float(np.median([math.inf if value is None else value for value in values]))
    return middle if math.isfinite(middle) else None
