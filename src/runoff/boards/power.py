"""Power of a board: the smallest difference that a test of two of its runs detects, over its pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.boards._covariance import pair_errors
from runoff.boards.winner import top_places
from runoff.errors import UsageError
from runoff.significance import POWER, Power, score_powers
from runoff.significance.power import TESTS, TESTS_OF_MEANS, needed_queries, student_factor
from runoff.tables.scores import Scores

MOST_PAIRS: Final = 200
"""Pairs whose ranks are looked at; of more pairs, this many are drawn."""


@dataclass(frozen=True, kw_only=True)
class BoardPower:
    """The smallest true difference of means that a t test at `level` finds with probability `power`, over all pairs.

    smallest       the median of the pairs
    easy, hard     the first and the ninth decile of the pairs
    gap            the lead of the best mean over the next; 0 if they tie
    gap_smallest   the smallest that these two runs would need
    gap_needed     the queries for which the lead would be the smallest; None if there is no lead
    """

    measure: str
    queries: int
    pairs: int
    level: float
    power: float
    smallest: float
    easy: float
    hard: float
    first: str
    second: str
    gap: float
    gap_smallest: float
    gap_needed: int | None

    def needed(self, difference: float) -> int:
        """The queries that a difference needs, for the median pair of runs."""
        if not (math.isfinite(difference) and difference > 0.0):
            raise UsageError(f"difference={difference!r} cannot be used; expected a number above 0; write 0.01")
        return _needed(difference, self.smallest, self.queries, self.level, self.power)


def board_power(scores: Scores, *, level: float = 0.05, power: float = POWER, best_is_low: bool = False) -> BoardPower:
    """The smallest difference of two runs of a board that a t test detects with these queries.

        smallest(i, j) = f se(i, j), f = student_factor(n, level, power): the same for all pairs, from the noncentral t
        queries needed: the fewest for which the difference would be the smallest, the spread being the same

    Each pair by itself, decided on before looking: whoever looks at all of them needs more.

    Webber, Moffat & Zobel 2008, Statistical power in retrieval experimentation,
    https://doi.org/10.1145/1458082.1458158

    >>> values = np.random.default_rng(0).random((100, 3))
    >>> scores = Scores(measure="AP", query_ids=tuple(map(str, range(100))), runs=("a", "b", "c"), values=values)
    >>> power = board_power(scores)
    >>> round(power.smallest, 3), power.needed(0.01)
    (0.123, 14797)
    """
    if len(scores.runs) < 2 or len(scores.query_ids) < 2:
        raise UsageError(
            f"{len(scores.runs)} runs on {len(scores.query_ids)} queries; expected two of each at least; give more"
        )
    factor = student_factor(len(scores.query_ids), level, power)
    all_smallest = factor * pair_errors(scores.values)
    upper = all_smallest[np.triu_indices(len(scores.runs), 1)]
    easy, middle, hard = np.quantile(upper, [0.1, 0.5, 0.9]).tolist()
    means = scores.means if not best_is_low else -scores.means
    tied = sorted(top_places(means).tolist(), key=lambda run: scores.runs[run])
    first, second = (tied if len(tied) > 1 else np.argsort(-means, kind="stable").tolist())[:2]
    gap = 0.0 if second in tied else float(means[first] - means[second])
    own = float(all_smallest[first, second])
    return BoardPower(
        measure=scores.measure,
        queries=len(scores.query_ids),
        pairs=len(upper),
        level=level,
        power=power,
        smallest=middle,
        easy=easy,
        hard=hard,
        first=scores.runs[first],
        second=scores.runs[second],
        gap=gap,
        gap_smallest=own,
        gap_needed=_needed(gap, own, len(scores.query_ids), level, power) if gap > 0.0 and own > 0.0 else None,
    )


def _needed(difference: float, smallest: float, queries: int, level: float, power: float) -> int:
    """The queries that a difference needs, if another is the smallest for some number of queries."""
    if not smallest:
        return 2
    return needed_queries(
        difference / smallest * student_factor(queries, level, power) / math.sqrt(queries), level, power
    )


def board_powers(
    scores: Scores,
    *,
    difference: float | None = None,
    level: float = 0.05,
    power: float = POWER,
    best_is_low: bool = False,
    seed: int = 0,
) -> dict[str, Power]:
    """The smallest difference of two runs of a board that each test detects: the median pair; see `score_powers`.

    difference  what the queries needed are for, of the median pair; if None, the lead of the best run over the next

    The tests of means are computed for all pairs, the others for 200 pairs at most, drawn by the seed.

    >>> values = np.random.default_rng(0).random((100, 3))
    >>> scores = Scores(measure="AP", query_ids=tuple(map(str, range(100))), runs=("a", "b", "c"), values=values)
    >>> powers = board_powers(scores, difference=0.05)
    >>> round(powers["t"].smallest, 3), round(powers["sign"].smallest, 3), powers["t"].needed
    (0.123, 0.129, 594)
    """
    if difference is not None and not (math.isfinite(difference) and difference > 0.0):
        raise UsageError(f"difference={difference!r} cannot be used; expected a number above 0; write 0.01")
    board = board_power(scores, level=level, power=power, best_is_low=best_is_low)
    pairs = [
        score_powers(*scores.values[:, pair].T, difference=difference, level=level, power=power)
        for pair in _drawn_pairs(len(scores.runs), seed)
    ]
    top = [scores.runs.index(board.first), scores.runs.index(board.second)]
    lead = score_powers(*scores.values[:, top].T, level=level, power=power)
    powers = {}
    for name in TESTS:
        is_of_means = name in TESTS_OF_MEANS
        smallest = board.smallest if is_of_means else _median([pair[name].smallest for pair in pairs])
        if difference is None:
            needed = lead[name].needed
        elif is_of_means:
            needed = board.needed(difference)
        else:
            median = _median([pair[name].needed for pair in pairs])
            needed = None if median is None else math.ceil(median)
        powers[name] = replace(
            lead[name],
            observed=board.gap,
            difference=board.gap if difference is None else difference,
            smallest=smallest,
            needed=needed,
        )
    return powers


def _drawn_pairs(runs: int, seed: int) -> NDArray[np.intp]:
    """Pairs of columns: all of them, or 200 of more."""
    pairs = np.column_stack(np.triu_indices(runs, 1))
    if len(pairs) <= MOST_PAIRS:
        return pairs
    chosen = np.random.default_rng(seed).choice(len(pairs), MOST_PAIRS, replace=False)
    return pairs[np.sort(chosen)]


def _median(values: list[float | None] | list[int | None]) -> float | None:
    """The median, where None is more than any number."""
    median = float(np.median([math.inf if value is None else value for value in values]))
    return median if math.isfinite(median) else None
