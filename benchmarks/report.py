"""A whole report from many run files, beside a program that merely scores the same files."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.commands import has_library, runoff_command, script
from benchmarks.data import ROOT, bench_folder
from benchmarks.tables import Benchmark, Scale, Section, Target, megabytes, seconds, times
from benchmarks.timing import Contender, interleave, ratios

RUNS: Final = 100
DEPTH: Final = 100
SEED: Final = 1
VERSION: Final = 1


def measure(scale: Scale) -> Section:
    """Time `runoff report` on a simulated board of 100 runs beside pytrec_eval on the same files."""
    folder = board_folder(scale.main, RUNS if scale.slow_rounds else 5)
    runs, qrels = sorted(map(str, folder.glob("*.run"))), str(folder / "qrels.txt")
    with tempfile.TemporaryDirectory() as target:
        page = str(Path(target) / "report.html")
        command = runoff_command("report", *runs, "--qrels", qrels, "-o", page, "--quiet")
        contenders = [Contender("runoff report", command)]
        if has_library("pytrec_eval") and scale.slow_rounds:
            contenders.append(Contender("pytrec_eval RR", script("pytrec_eval_rr", "0", qrels, *runs)))
        timed = interleave(contenders, 1)
        size = Path(page).stat().st_size
    rows = [[one.name, seconds(one.best), seconds(one.cpu), megabytes(one.peak), one.parallel] for one in timed]
    targets = []
    if len(timed) > 1:
        name = f"report: pytrec_eval merely scoring / runoff report, {len(runs)} runs"
        targets.append(Target(name, "at least", 2, "×", **ratios(timed[1], timed[0])))
        rows = [[*row, times(timed[1].best / one.best)] for row, one in zip(rows, timed, strict=True)]
    header = ["command", "s", "CPU s", "peak MB", "processes × threads", "pytrec_eval / this"][: len(rows[0])]
    notes = [f"{len(runs)} runs x {scale.main:,} queries to depth {DEPTH}; the page has {size / 1e6:.1f} MB."]
    return Section("report: a whole report beside scoring alone", header, rows, notes, targets)


def board_folder(queries: int, runs: int) -> Path:
    """The files of the simulated board, made unless they are there already."""
    folder = bench_folder() / f"board-v{VERSION}-{queries}-{runs}"
    if not (folder / "qrels.txt").is_file():
        command = [sys.executable, "-m", "benchmarks.report", str(queries), str(runs), str(folder)]
        subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    return folder


def write_board(queries: int, runs: int, folder: Path) -> None:
    """Write a simulated board; the labels last, so that where they are, all runs are whole."""
    from runoff.simulation import SparseBoardConfig, simulate_sparse_board

    folder.mkdir(parents=True, exist_ok=True)
    board = simulate_sparse_board(SparseBoardConfig(queries=queries, runs=runs, depth=DEPTH, seed=SEED))
    for name in board.names:
        (folder / f"{name}.run").write_text("".join(board.run_lines(name)), encoding="utf-8")
    (folder / "qrels.txt").write_text("".join(board.qrels_lines()), encoding="utf-8")


BENCHMARK: Final = Benchmark("report", measure)

if __name__ == "__main__":
    write_board(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
