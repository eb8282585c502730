"""Run benchmarks and print their tables as Markdown."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Final

from benchmarks import (
    all_pairs,
    claims,
    compare_two,
    evaluate_many,
    growth,
    half_splits,
    judging,
    judging_server,
    kinds,
    paper_table,
    parsers,
    pools,
    report,
    server,
    stability,
    startup,
    tally,
)
from benchmarks.data import bench_folder
from benchmarks.machine import describe
from benchmarks.tables import Benchmark, Scale, Target, render_section, render_targets

BENCHMARKS: Final[tuple[Benchmark, ...]] = (
    kinds.BENCHMARK,
    startup.BENCHMARK,
    evaluate_many.BENCHMARK,
    growth.BENCHMARK,
    compare_two.BENCHMARK,
    paper_table.BENCHMARK,
    all_pairs.BENCHMARK,
    stability.BENCHMARK,
    claims.BENCHMARK,
    half_splits.BENCHMARK,
    pools.BENCHMARK,
    tally.BENCHMARK,
    report.BENCHMARK,
    server.BENCHMARK,
    judging.BENCHMARK,
    judging_server.BENCHMARK,
    parsers.BENCHMARK,
)
"""All benchmarks in the order in which they are run and printed."""

FULL: Final = Scale(
    small=10,
    main=6980,
    growing=(100, 1000, 6980, 27_920),
    many=(1, 5, 20),
    several=(63, 48),
    rounds=5,
    slow_rounds=3,
    quick_rounds=10,
)
QUICK: Final = Scale(
    small=2, main=5, growing=(2, 5, 8), many=(1, 2, 3), several=(3, 2), rounds=1, slow_rounds=0, quick_rounds=1
)
"""Tiny data, to see that everything works; slow peers do not take part, and the figures mean nothing."""


def main() -> None:
    names = [benchmark.name for benchmark in BENCHMARKS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=names, metavar="NAME", help=f"some of {', '.join(names)}")
    parser.add_argument("--quick", action="store_true", help="tiny data; the figures mean nothing")
    arguments = parser.parse_args()
    if not hasattr(os, "wait4"):
        parser.error("this system does not tell the memory of a process; use Linux or macOS")
    chosen = [one for one in BENCHMARKS if (one.name in arguments.only if arguments.only else one.is_default)]
    print(f"samples are in {bench_folder()}", file=sys.stderr)
    print(describe(), flush=True)
    targets: list[Target] = []
    for benchmark in chosen:
        print(benchmark.name, file=sys.stderr, flush=True)
        section = benchmark.measure(QUICK if arguments.quick else FULL)
        targets += section.targets
        print(f"\n{render_section(section)}", flush=True)
    if targets:
        print(f"\n### Targets\n\n{render_targets(targets)}")


if __name__ == "__main__":
    main()
