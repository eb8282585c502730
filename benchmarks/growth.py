"""Time and memory of one run as its file grows."""

from __future__ import annotations

from typing import Final

from benchmarks import commands
from benchmarks.data import sample
from benchmarks.tables import Benchmark, Scale, Section, Target, megabytes, seconds
from benchmarks.timing import interleave

LINEAR: Final = 1.25
"""Time may grow this much faster than the lines."""


def measure(scale: Scale) -> Section:
    """Time `runoff evaluate -m RR@10` on runs of several sizes."""
    samples = [sample(queries) for queries in scale.growing]
    timed = interleave(
        [commands.runoff_evaluate(f"{one.lines:,} lines", one.qrels, [one.run], "RR@10") for one in samples],
        scale.rounds,
    )
    rows = []
    for one, data in zip(timed, samples, strict=True):
        millions = data.lines / 1e6
        rows.append(
            [
                one.name,
                f"{data.run.stat().st_size / 1e6:,.0f}",
                seconds(one.best),
                seconds(one.median),
                seconds(one.cpu),
                seconds(one.best / millions),
                seconds(one.median / millions),
                megabytes(one.peak),
            ]
        )
    (middle, large), (fewer, more) = timed[-2:], (data.lines for data in samples[-2:])
    growth = {
        "best": large.best / middle.best / (more / fewer),
        "median": large.median / middle.median / (more / fewer),
    }
    name = f"growth: time per line at {more:,} lines / at {fewer:,}"
    return Section(
        "growth: one run as it grows, runoff RR@10",
        ["run", "file MB", "best s", "median s", "CPU s", "best s per million", "median s per million", "peak MB"],
        rows,
        ["The times hold the start of the program, see startup."],
        [Target(name, "below", LINEAR, "×", **growth)],
    )


BENCHMARK: Final = Benchmark("growth", measure)
