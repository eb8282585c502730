"""`runoff compare` of two large runs beside `runoff evaluate` of one of them."""

from __future__ import annotations

from typing import Final

from benchmarks import commands
from benchmarks.data import sample
from benchmarks.tables import Benchmark, Scale, Section, Target, megabytes, seconds, times
from benchmarks.timing import Contender, by_name, interleave, ratios

LIMIT: Final = 2.5


def measure(scale: Scale) -> Section:
    """Time both commands in turn."""
    data = sample(scale.main)
    other = data.other_run()
    options = ["--qrels", str(data.qrels), "--format", "json", "--quiet"]
    compare, evaluate = "runoff compare, two runs", "runoff evaluate RR@100, one run"
    contenders = [
        commands.runoff_evaluate(evaluate, data.qrels, [data.run], "RR@100"),
        Contender(compare, commands.runoff_command("compare", str(data.run), str(other), *options)),
    ]
    timed = interleave(contenders, scale.rounds)
    named = by_name(timed)
    ratio = ratios(named[compare], named[evaluate])
    rows = [[one.name, seconds(one.best), seconds(one.median), seconds(one.cpu), megabytes(one.peak)] for one in timed]
    return Section(
        f"compare_two: two runs of {data.lines:,} lines",
        ["command", "best s", "median s", "CPU s", "peak MB"],
        rows,
        [f"Comparing two takes {times(ratio['best'])} the time of scoring one, by best."],
        [Target("compare_two: compare two / evaluate one", "below", LIMIT, "×", **ratio)],
    )


BENCHMARK: Final = Benchmark("compare_two", measure)
