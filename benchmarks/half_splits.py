"""Half-splits of a board: seven tests and aggregates for all pairs, beside a loop over scipy on some of them."""

from __future__ import annotations

import statistics
import time
from itertools import combinations
from typing import Final

import numpy as np

from benchmarks.tables import Benchmark, Scale, Section, Target, seconds, times

RUNS: Final = 100
SPLITS: Final = 20
SCIPY_RUNS: Final = 8
"""Runs whose pairs scipy compares; its time is scaled up to all pairs."""


def measure(scale: Scale) -> Section:
    """Time some splits of RR@10 and one half of a few pairs with scipy, in turn."""
    from runoff.boards.reliability import reliability
    from runoff.tables import Scores

    runs, queries = (RUNS, scale.main) if scale.main > 1000 else (9, 60)
    ranks = np.random.default_rng(0).integers(1, 20, size=(queries, runs))
    values = np.where(ranks <= 10, 1.0 / ranks, 0.0)
    ids, names = tuple(map(str, range(queries))), tuple(map(str, range(runs)))
    scores = Scores(measure="RR@10", query_ids=ids, runs=names, values=values)
    pairs = runs * (runs - 1) // 2
    reliability(scores, level=0.05, splits=1)
    fast: list[float] = []
    slow: list[float] = []
    for _ in range(scale.slow_rounds or 1):
        begin = time.perf_counter()
        reliability(scores, level=0.05, splits=SPLITS)
        fast.append((time.perf_counter() - begin) / SPLITS)
        slow.append(_scipy(values[: queries // 2]) * 2 * pairs)
    best, median = (how(slow) / how(fast) for how in (min, statistics.median))
    row = ["one split", seconds(min(fast)), seconds(min(slow)), times(best), times(median)]
    return Section(
        f"half_splits: {pairs:,} pairs of {runs} runs on {queries:,} queries",
        ["what", "runoff best s", "scipy loop best s, all pairs", "ratio, best", "median"],
        [row],
        ["scipy does four tests once for both aggregates, on the pairs of a few runs."],
        [Target("half_splits: scipy loop / runoff", "at least", 50, "×", best, median)],
    )


def _scipy(half: np.ndarray) -> float:
    """Seconds that scipy takes for the four tests of one pair in one half."""
    from scipy import stats

    chosen = list(combinations(range(SCIPY_RUNS), 2))
    begin = time.perf_counter()
    for i, j in chosen:
        one, other = half[:, i], half[:, j]
        stats.ttest_rel(one, other)
        stats.wilcoxon(one, other)
        stats.mannwhitneyu(one, other, method="asymptotic")
        wins, losses = int((one > other).sum()), int((one < other).sum())
        stats.binomtest(wins, wins + losses)
    return (time.perf_counter() - begin) / len(chosen)


BENCHMARK: Final = Benchmark("half_splits", measure)
