"""The table of a paper, four real runs by three measures with t tests, in LaTeX: by ranx, PyTerrier and runoff."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from benchmarks import commands
from benchmarks.kind_files import real_runs
from benchmarks.tables import Benchmark, Scale, Section, Target, megabytes, seconds
from benchmarks.timing import Contender, Timed, interleave

RUNS: Final = ("p_bm25", "mono_d3", "NLE_P_quick", "pash_f3")
PEERS: Final = ("ranx", "pyterrier")
ALL_RUNS: Final = "runoff, all runs and 4 measures"
LIMIT: Final = 3.0
"""Seconds for the table of all runs."""


def measure(scale: Scale) -> Section:
    """Time the three in turn, and show what each says of the last run."""
    real = real_runs()
    if real is None:
        return Section("paper_table: the real runs are not here", ["tool"], [])
    by_name = {path.name: path for path in real.plain}
    files = [str(real.qrels), *(str(by_name[name]) for name in RUNS)]
    contenders = [_runoff("runoff", files, ["nDCG@10", "AP", "RR@10"])]
    everything = [str(real.qrels), *map(str, real.plain)]
    contenders.append(_runoff(ALL_RUNS, everything, ["nDCG@10", "AP", "RR@10", "P@10"]))
    for peer in PEERS:
        if scale.slow_rounds and commands.has_library(peer):
            command = commands.script(f"{peer}_table", *files)
            contenders.append(Contender(peer, command, warm_up=command, rounds=scale.slow_rounds))
    timed = interleave(contenders, scale.rounds)
    rows = [
        [one.name, _lines(one.name), seconds(one.best), seconds(one.median), seconds(one.cpu), megabytes(one.peak)]
        for one in timed
    ]
    whole = next(one for one in timed if one.name == ALL_RUNS)
    return Section(
        f"paper_table: {len(RUNS)} runs of TREC DL 2021 by nDCG@10, AP and RR@10",
        ["tool", "lines", "best s", "median s", "CPU s", "peak MB"],
        rows,
        [f"{one.name}: {_said(one)}" for one in timed if one.name != ALL_RUNS],
        [Target(f"paper_table: {ALL_RUNS}", "below", LIMIT, "s", whole.best, whole.median)],
    )


def _runoff(name: str, files: list[str], measures: list[str]) -> Contender:
    options = [word for measure in measures for word in ("-m", measure)]
    return Contender(
        name, commands.runoff_command("compare", *files[1:], "--qrels", files[0], *options, "--format", "latex")
    )


def _lines(name: str) -> str:
    """The lines of code of a peer's program; runoff's is a command."""
    path = Path(__file__).parent / "peers" / f"{name}_table.py"
    if not path.is_file():
        return "1"
    return str(sum(bool(line.strip()) and not line.startswith('"""') for line in path.read_text().splitlines()))


def _said(one: Timed) -> str:
    """The caption of a table, if it has one, and its last row."""
    output = one.runs[0].output
    caption = re.search(r"\\caption\{(.*?)\}\n", output, re.DOTALL)
    row = Path(
        output[: output.index(r"\bottomrule")].rsplit("\\\\", 2)[1]
    ).name  # PyTerrier's run is called by its path
    return " ".join(f"{caption[1] if caption else 'no caption.'} `{' '.join(row.split())}`".split())


BENCHMARK: Final = Benchmark("paper_table", measure)
