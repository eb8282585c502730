"""The same commands with two versions of runoff in turn: `python -m benchmarks.versions OTHER_CHECKOUT`.

The other checkout needs its compiled reader in `src/runoff/rows`. Its figures are the first of each pair.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import ROOT, sample
from benchmarks.report import board_folder
from benchmarks.timing import Contender, interleave


def main(arguments: Sequence[str] | None = None) -> None:
    """Time every command with both versions and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.versions", description=__doc__)
    parser.add_argument("other", type=Path, metavar="OTHER_CHECKOUT")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--queries", type=int, default=6980, help="queries of the large run, each 1000 deep")
    parser.add_argument("--board", type=int, nargs=2, default=(500, 40), help="queries and runs of the board")
    chosen = parser.parse_args(arguments)
    checkouts = (chosen.other.resolve(), ROOT)
    for checkout in checkouts:
        subprocess.run([sys.executable, "-m", "compileall", "-q", str(checkout / "src")], check=True)
    print("| command | before, best s | after, best s | after / before, best | median |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, words in commands(chosen.queries, chosen.board, Path(folder)).items():
            before, after = interleave([contender(name, checkout, words) for checkout in checkouts], chosen.rounds)
            ratios = f"{after.best / before.best:.3f} | {after.median / before.median:.3f}"
            print(f"| {name} | {before.best:.3f} | {after.best:.3f} | {ratios} |", flush=True)


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
