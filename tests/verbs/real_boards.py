"""Real runs and their labels, read once for all tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import runoff

CHAMPION = "pash_f1"
"""The best of the runs of TREC DL 2021 by nDCG@10."""


@cache
def robust_runs(data: Path) -> tuple[list[runoff.Run], runoff.Qrels]:
    """Twelve runs of the TREC 2003 Robust track: 100 queries, grades 0 to 2."""
    folder = data / "robust03"
    runs = [runoff.read_run(file) for file in sorted(folder.glob("input.*.gz"))]
    return runs, runoff.read_qrels(folder / "qrels.txt.gz")


@cache
def deep_learning_runs(data: Path) -> tuple[list[runoff.Run], runoff.Qrels]:
    """The 42 runs of TREC DL 2021, passages: 53 queries, grades 0 to 3."""
    folder = data / "dl21"
    runs = [runoff.read_run(file) for file in sorted((folder / "runs").glob("*.gz"))]
    return runs, runoff.read_qrels(folder / "qrels.nist.txt.gz")


def named(runs: list[runoff.Run], name: str) -> runoff.Run:
    """The run of this name."""
    return next(run for run in runs if run.name == name)
