"""How long it takes until something happens: help, and a run of a few lines."""

from __future__ import annotations

import sys
from typing import Final

from benchmarks import commands
from benchmarks.data import sample
from benchmarks.tables import Benchmark, Scale, Section, Target, megabytes, seconds
from benchmarks.timing import Contender, by_name, interleave

HELP: Final = "runoff --help"
NUMPY: Final = "python -c 'import numpy'"
BEYOND_NUMPY: Final = 0.1
"""Seconds that a small run may take beyond the start of Python with numpy."""


def measure(scale: Scale) -> Section:
    """Time short commands, with bytecode compiled by a run before."""
    data = sample(scale.small)
    small = f"runoff evaluate, {data.lines:,} lines"
    evaluate = commands.runoff_evaluate(small, data.qrels, [data.run], "RR@10")
    contenders = [
        Contender("python -c pass", [sys.executable, "-c", "pass"]),
        Contender(NUMPY, [sys.executable, "-c", "import numpy"], warm_up=[sys.executable, "-c", "import numpy"]),
        Contender(HELP, commands.runoff_command("--help"), warm_up=commands.runoff_command("--help")),
        Contender(small, evaluate.command, warm_up=evaluate.command),
    ]
    peer = commands.program("ir_measures")
    if peer:
        contenders.append(Contender("ir_measures --help", [*peer, "--help"], warm_up=[*peer, "--help"]))
    timed = interleave(contenders, scale.quick_rounds)
    named = by_name(timed)
    beyond = {
        "best": named[small].best - named[NUMPY].best,
        "median": named[small].median - named[NUMPY].median,
    }
    rows = [[one.name, seconds(one.best), seconds(one.median), seconds(one.cpu), megabytes(one.peak)] for one in timed]
    return Section(
        "startup: short commands",
        ["command", "best s", "median s", "CPU s", "peak MB"],
        rows,
        [f"{scale.quick_rounds} runs each, in turn; Python's own start is part of every time."],
        [
            Target(f"startup: {HELP}", "below", 0.15, "s", named[HELP].best, named[HELP].median),
            Target(f"startup: {small}, beyond {NUMPY}", "below", BEYOND_NUMPY, "s", **beyond),
        ],
    )


BENCHMARK: Final = Benchmark("startup", measure)
