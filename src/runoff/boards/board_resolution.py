"""The resolution of a board: the differences that a test of two of its runs can see."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from runoff.boards._covariance import pair_errors
from runoff.boards.resolution import needed_queries, student_factor
from runoff.boards.winner import top_places
from runoff.errors import UsageError
from runoff.tables.scores import Scores


@dataclass(frozen=True, kw_only=True)
class BoardResolutionResult:
    """The smallest true difference of means that a t test at `level` finds with probability `power`, over all pairs.

    smallest       of the middle pair: half of the pairs need a larger one
    easy, hard     of the pair at a tenth and at nine tenths
    gap            the lead of the best mean over the next; 0 if they tie
    gap_smallest   what these two runs would have needed
    gap_needed     the queries for which the lead would be the smallest to be seen; None if there is none
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
        """The queries that a difference needs, for the middle pair of runs."""
        if not (math.isfinite(difference) and difference > 0.0):
            raise UsageError(f"difference={difference!r} cannot be used; expected a number above 0; write 0.01")
        return _needed(difference, self.smallest, self.queries, self.level, self.power)


def board_resolution(
    scores: Scores, *, level: float = 0.05, power: float = 0.8, best_is_low: bool = False
) -> BoardResolutionResult:
    """What a comparison of two runs of a board can see with these queries.

        smallest(i, j) = f se(i, j), f = student_factor(n, level, power): the same for all pairs, from the noncentral t
        queries needed: the fewest for which the difference would be the smallest, the spread being the same

    Each pair by itself, decided on before looking: whoever looks at all of them needs more.

    Webber, Moffat & Zobel 2008, Statistical power in retrieval experimentation,
    https://doi.org/10.1145/1458082.1458158

    >>> values = np.random.default_rng(0).random((100, 3))
    >>> scores = Scores(measure="AP", query_ids=tuple(map(str, range(100))), runs=("a", "b", "c"), values=values)
    >>> found = board_resolution(scores)
    >>> round(found.smallest, 3), found.needed(0.01)
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
    return BoardResolutionResult(
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
    """The queries that a difference needs, if another is the smallest for so many."""
    if not smallest:
        return 2
    return needed_queries(
        difference / smallest * student_factor(queries, level, power) / math.sqrt(queries), level, power
    )
