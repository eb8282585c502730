"""Bootstrap of a board: ranks of 100 runs over 1,000 samples of the queries, beside a loop that gathers rows."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Final

import numpy as np

from benchmarks.tables import Benchmark, Scale, Section, Target, seconds, times

RUNS: Final = 100
TRIALS: Final = 1000


def measure(scale: Scale) -> Section:
    """Time both in turn, in one process."""
    from runoff.boards.stability import stability
    from runoff.tables import Scores

    runs, queries, trials = (RUNS, scale.main, TRIALS) if scale.main > 1000 else (5, 50, 20)
    rng = np.random.default_rng(0)
    values = 1.0 / rng.integers(1, 12, size=(queries, runs))
    ids, names = tuple(map(str, range(queries))), tuple(map(str, range(runs)))
    scores = Scores(measure="RR@10", query_ids=ids, runs=names, values=values)

    def gather() -> None:
        for _ in range(trials):
            values[rng.integers(0, queries, queries)].mean(axis=0)

    stability(scores, trials=1)
    fast: list[float] = []
    slow: list[float] = []
    for _ in range(scale.rounds):
        fast.append(_timed(lambda: stability(scores, trials=trials)))
        slow.append(_timed(gather))
    best, median = (how(slow) / how(fast) for how in (min, statistics.median))
    row = [f"{trials:,} trials", seconds(min(fast)), seconds(min(slow)), times(best), times(median)]
    return Section(
        f"stability: bootstrap of {runs} runs on {queries:,} queries",
        ["what", "runoff best s", "gather and mean, best s", "ratio, best", "median"],
        [row],
        ["The loop only takes means; runoff also ranks the runs in every sample, ties included."],
        [Target("stability: gather-and-mean loop / runoff", "at least", 8, "×", best, median)],
    )


def _timed(function: Callable[[], object]) -> float:
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin


BENCHMARK: Final = Benchmark("stability", measure)
