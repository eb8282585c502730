"""The commands that are timed: runoff, and its peers where they are installed."""

from __future__ import annotations

import importlib.util
import json
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.data import Sample
from benchmarks.kind_files import COMPRESSED
from benchmarks.timing import Contender

_SCRIPTS: Final = Path(__file__).parent / "peers"


def program(name: str) -> list[str] | None:
    """A program beside this Python, or on the PATH; None if there is none."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.is_file() else shutil.which(name)
    return [found] if found else None


def has_library(name: str) -> bool:
    """Whether a library can be imported, found out without importing it."""
    return importlib.util.find_spec(name) is not None


def runoff_command(*arguments: str) -> list[str]:
    """The whole command as it is typed."""
    return [*(program("runoff") or [sys.executable, "-m", "runoff"]), *arguments]


def script(name: str, *arguments: str) -> list[str]:
    """A program of ours that calls a peer."""
    return [sys.executable, str(_SCRIPTS / f"{name}.py"), *arguments]


def runoff_evaluate(name: str, qrels: Path, runs: Sequence[Path], measure: str) -> Contender:
    """`runoff evaluate` of some runs under one measure."""
    files = [str(run) for run in runs]
    options = ["--qrels", str(qrels), "-m", measure, "--format", "json", "--quiet"]

    def values(output: str) -> list[float]:
        found = {run["run"]: float(run["measures"][measure]) for run in json.loads(output)["runs"]}  # the best first
        return [found[run.stem if run.suffix in COMPRESSED.values() else run.name] for run in runs]

    return Contender(name, runoff_command("evaluate", *files, *options), values=values)


def trec_eval_rr(name: str, qrels: Path, runs: Sequence[Path], rounds: int | None = None) -> list[Contender]:
    """The program trec_eval, where there is one, cut at rank 10; several runs are a loop. It prints four decimals."""
    found = program("trec_eval")
    if not found:
        return []
    command = [*found, "-c", "-M", "10", "-m", "recip_rank", str(qrels)]
    if len(runs) == 1:
        command.append(str(runs[0]))
    else:
        loop = f'for run in "$@"; do {shlex.join(command)} "$run" || exit; done'
        command = ["sh", "-c", loop, "sh", *map(str, runs)]
    return [Contender(name, command, rounds=rounds, values=_every_third)]


def _every_third(output: str) -> list[float]:
    """The values in lines of a measure's name, `all`, and a value."""
    return [float(word) for word in output.split()[2::3]]


def _all_numbers(output: str) -> list[float]:
    return [float(word) for word in output.split()]


def pytrec_eval_rr(
    name: str, qrels: Path, runs: Sequence[Path], cutoff: int = 0, rounds: int | None = None
) -> list[Contender]:
    """pytrec_eval on some runs, one after the other; a cutoff of 0 is none."""
    if not has_library("pytrec_eval"):
        return []
    command = script("pytrec_eval_rr", str(cutoff), str(qrels), *map(str, runs))
    return [Contender(name, command, rounds=rounds, values=_all_numbers)]


def ir_measures_rr(name: str, qrels: Path, run: Path, rounds: int | None = None) -> list[Contender]:
    """The command line of ir_measures, RR@10."""
    found = program("ir_measures")
    if not found:
        return []
    command = [*found, "--places", "-1", str(qrels), str(run), "RR@10"]
    return [Contender(name, command, rounds=rounds, values=lambda output: [float(output.split()[1])])]


def ranx_rr(name: str, qrels: Path, run: Path, small: Sample, rounds: int) -> list[Contender]:
    """The library ranx, RR@10; its warm-up fills numba's cache, which takes most of a minute the first time."""
    if not rounds or not has_library("ranx"):
        return []
    warm_up = script("ranx_rr", str(small.qrels), str(small.run))
    command = script("ranx_rr", str(qrels), str(run))
    return [Contender(name, command, warm_up=warm_up, rounds=rounds, values=_all_numbers)]


def decompression(name: str, kind: str, file: Path, rounds: int | None = None) -> Contender:
    """A compressed file read through by Python's library and thrown away."""
    return Contender(name, script("decompress", kind, str(file)), rounds=rounds, values=_all_numbers)
