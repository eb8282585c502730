"""The same measurements with two versions of runoff in turn: `python -m benchmarks.versions OTHER_CHECKOUT`.

Commands are timed with the files of this checkout. With `--servers` the benchmarks of the web server run instead, each
checkout's own, because they fill a database through what only that version has. The other checkout needs its compiled
reader in `src/runoff/rows`. Its figures are the first of each pair.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.data import ROOT, sample
from benchmarks.report import board_folder
from benchmarks.timing import Contender, interleave

SERVERS: Final = ("server", "judging_server")
"""Benchmarks that start `runoff serve` and send requests to it."""
_NAMES: Final = ("pages", "database", "way", "seconds to think", "what")
_FIGURES: Final = {"p95 ms": ("p95 ms",), "CPU ms": ("server CPU ms each", "CPU ms a choice")}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure everything with both versions and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.versions", description=__doc__)
    parser.add_argument("other", type=Path, metavar="OTHER_CHECKOUT")
    parser.add_argument("--rounds", type=int, help="times that everything is measured: 7 for commands, 1 for servers")
    parser.add_argument("--queries", type=int, default=6980, help="queries of the large run, each 1000 deep")
    parser.add_argument("--board", type=int, nargs=2, default=(500, 40), help="queries and runs of the board")
    parser.add_argument("--servers", nargs="*", choices=SERVERS, metavar="NAME", help=f"some of {', '.join(SERVERS)}")
    parser.add_argument("--quick", action="store_true", help="servers with tiny data; the figures mean nothing")
    options = parser.parse_args(arguments)
    checkouts = (options.other.resolve(), ROOT)
    for checkout in checkouts:
        subprocess.run([sys.executable, "-m", "compileall", "-q", str(checkout / "src")], check=True)
    if options.servers is not None:
        compare_servers(options.servers or SERVERS, checkouts, options.rounds or 1, is_quick=options.quick)
        return
    print("| command | before, best s | after, best s | after / before, best | median |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, words in commands(options.queries, options.board, Path(folder)).items():
            contenders = [contender(name, checkout, words) for checkout in checkouts]
            before, after = interleave(contenders, options.rounds or 7)
            ratios = f"{after.best / before.best:.3f} | {after.median / before.median:.3f}"
            print(f"| {name} | {before.best:.3f} | {after.best:.3f} | {ratios} |", flush=True)


def compare_servers(names: Sequence[str], checkouts: Sequence[Path], rounds: int, *, is_quick: bool) -> None:
    """Print p95 and processor time of both versions, for every row of their tables the best of all rounds."""
    for name in names:
        best: list[dict[str, dict[str, float]]] = [{} for _ in checkouts]
        for _ in range(rounds):
            for figures, checkout in zip(best, checkouts, strict=True):
                for row, cells in parse_figures(server_table(name, checkout, is_quick=is_quick)).items():
                    earlier = figures.setdefault(row, cells)
                    figures[row] = {figure: min(earlier.get(figure, cells[figure]), cells[figure]) for figure in cells}
        print(f"\n| {name} | figure | before | after | after / before |\n|---|---|---|---|---|")
        before, after = best
        for row in [row for row in before if row in after]:
            for figure, value in before[row].items():
                if figure in after[row]:
                    ratio = f"{after[row][figure] / value:.3f}" if value else "–"
                    print(f"| {row} | {figure} | {value:.2f} | {after[row][figure]:.2f} | {ratio} |", flush=True)


def server_table(name: str, checkout: Path, *, is_quick: bool) -> str:
    """What a checkout's own benchmark prints."""
    command = [sys.executable, "-m", "benchmarks", "--only", name, *(["--quick"] if is_quick else [])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(checkout / "src"), str(checkout)])}
    print(f"{checkout.name}: {name}", file=sys.stderr, flush=True)
    done = subprocess.run(command, cwd=checkout, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def parse_figures(table: str) -> dict[str, dict[str, float]]:
    r"""The figures of a benchmark's first table, by the words of the row.

    >>> parse_figures("| pages | p95 ms | server CPU ms each |\n|---|---|---|\n| board | 8.8 | 2.50 |")
    {'board': {'p95 ms': 8.8, 'CPU ms': 2.5}}
    """
    lines = [line.strip("| \n") for line in table.splitlines() if line.startswith("|")]
    header = [cell.strip() for cell in lines[0].split("|")]
    figures: dict[str, dict[str, float]] = {}
    for line in lines[2:]:
        row = dict(zip(header, (cell.strip() for cell in line.split("|")), strict=False))
        if set(row) != set(header):
            break
        cells = {
            figure: float(row[column])
            for figure, columns in _FIGURES.items()
            for column in columns
            if row.get(column, "–") not in ("", "–")
        }
        figures[", ".join(row[column] for column in _NAMES if column in row)] = cells
    if not any(figures.values()):
        raise RuntimeError("the benchmark printed no figure, so nothing was measured")
    return figures


def contender(name: str, checkout: Path, words: Sequence[str]) -> Contender:
    """A command as one version runs it."""
    python = ["env", f"PYTHONPATH={checkout / 'src'}", sys.executable, "-m", "runoff"]
    return Contender(f"{name}, {checkout.name}", [*python, *words, "--quiet"])


def commands(queries: int, board: Sequence[int], folder: Path) -> dict[str, list[str]]:
    """What is timed: short and long commands of the verbs that are used most."""
    large = sample(queries)
    runs = [str(large.run), str(large.other_run())]
    files = board_folder(*board)
    many, qrels = sorted(map(str, files.glob("*.run"))), ["--qrels", str(files / "qrels.txt")]
    size = f"{board[1]} runs x {board[0]} queries"
    lines = f"{large.lines / 1e6:g} million lines"
    return {
        f"evaluate, {lines}": ["evaluate", runs[0], "--qrels", str(large.qrels), "-m", "RR@10"],
        f"evaluate, {size}": ["evaluate", *many, *qrels],
        f"compare, two runs of {lines}": ["compare", *runs, "--qrels", str(large.qrels)],
        f"compare, {board[0]} queries": ["compare", *many[:2], *qrels],
        f"board, {size}": ["board", *many, *qrels],
        f"report, {size}": ["report", *many, *qrels, "-o", str(folder / "report.html")],
    }


if __name__ == "__main__":
    main()
