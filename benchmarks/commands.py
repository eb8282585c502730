"""The commands that are timed: runoff, and its peers where they are installed."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.data import Sample
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


def runoff_evaluate(name: str, sample: Sample, runs: Sequence[Path], measure: str) -> Contender:
    """`runoff evaluate` of some runs under one measure."""
    files = [str(run) for run in runs]
    options = ["--qrels", str(sample.qrels), "-m", measure, "--format", "json", "--quiet"]

    def value(output: str) -> float:
        return float(json.loads(output)["runs"][0]["measures"][measure])

    return Contender(name, runoff_command("evaluate", *files, *options), value=value)


def pytrec_eval_rr(name: str, sample: Sample, runs: Sequence[Path], rounds: int | None = None) -> list[Contender]:
    """pytrec_eval on some runs, one after the other; it has no cutoff for RR."""
    if not has_library("pytrec_eval"):
        return []
    command = script("pytrec_eval_rr", str(sample.qrels), *map(str, runs))
    return [Contender(name, command, rounds=rounds, value=lambda output: float(output.split()[0]))]


def ir_measures_rr(name: str, sample: Sample, rounds: int | None) -> list[Contender]:
    """The command line of ir_measures."""
    found = program("ir_measures")
    if not found:
        return []
    command = [*found, "--places", "-1", str(sample.qrels), str(sample.run), "RR@10"]
    return [Contender(name, command, rounds=rounds, value=lambda output: float(output.split()[1]))]


def ranx_rr(name: str, sample: Sample, small: Sample, rounds: int) -> list[Contender]:
    """The library ranx; its warm-up fills numba's cache, which takes most of a minute the first time."""
    if not rounds or not has_library("ranx"):
        return []
    return [
        Contender(
            name,
            script("ranx_rr", str(sample.qrels), str(sample.run)),
            warm_up=script("ranx_rr", str(small.qrels), str(small.run)),
            rounds=rounds,
            value=float,
        )
    ]


def trec_eval_rr(name: str, sample: Sample) -> list[Contender]:
    """The program trec_eval, where there is one; it prints four decimals."""
    found = program("trec_eval")
    if not found:
        return []
    command = [*found, "-c", "-m", "recip_rank", str(sample.qrels), str(sample.run)]
    return [Contender(name, command, value=lambda output: float(output.split()[2]))]
