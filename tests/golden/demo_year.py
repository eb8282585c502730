"""The folder in which the golden commands run: one short simulated year, and three small files beside it."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

from tests.golden.program import run_program

if TYPE_CHECKING:
    from runoff.simulation.year import YearConfig

FOLDER = "runoff-demo"
RUNS = tuple(f"runs/{name}.run.gz" for name in ("ebro-3", "forth-3", "bm25", "amstel-1"))
"""The champion, a trade-off against it, the baseline, and an early run."""
LEADERBOARD = """\
id,date,,description,team,paper,code,type,MRR@100 (Dev),MRR@100 (Eval),tweet
20200811a,2020/08/11,🏛,"First stage","Organisers",,https://example.org/code,full ranking,0.21,0.192,1
20200901a,2020/09/01,🏆,"Dense","Ebro, Forth",https://example.org/paper,,reranking,0.315,0.293,2
20201015a,2020/10/15,,"Dense again","Ebro, Forth",,,full ranking,0.313,0.291,
"""
"""A leaderboard as MS MARCO publishes it."""


def short_config(*, seed: int) -> YearConfig:
    """The year of `runoff demo` with few queries."""
    from runoff.simulation.year import YearConfig

    return YearConfig(public=150, private=40, deep=6, judged=10, seed=seed)


@contextmanager
def short_demo() -> Iterator[None]:
    """`runoff demo` simulates the short year."""
    from runoff.verbs import demo

    with mock.patch.object(demo, "YearConfig", short_config):
        yield


def write_year(base: Path) -> Path:
    """Write the short year below a folder, with a matrix of scores and a published leaderboard; its own folder."""
    from runoff.simulation.year import simulate_year
    from runoff.verbs._demo_files import write_demo

    folder = base / FOLDER
    write_demo(simulate_year(short_config(seed=0)), folder)
    (folder / "leaderboard.csv").write_text(LEADERBOARD, encoding="utf-8")
    rows = csv.DictReader(io.StringIO(_scores(folder).decode("utf-8")))
    matrix: dict[str, dict[str, str]] = {}
    for row in rows:
        matrix.setdefault(row["query"], {"query": row["query"]})[row["run"]] = row["value"]
    with (folder / "matrix.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(next(iter(matrix.values()))))
        writer.writeheader()
        writer.writerows(matrix.values())
    return folder


def demo_outputs(base: Path) -> dict[str, bytes]:
    """What `runoff demo` prints, its report, and a digest of every file that it writes."""
    base.mkdir(exist_ok=True)
    with short_demo():
        printed = run_program(("demo", "--format", "json"), base)
    folder = base / FOLDER
    digests = {
        file.relative_to(folder).as_posix(): _digest(file) for file in sorted(folder.rglob("*")) if file.is_file()
    }
    report = (folder / "report.html").read_bytes()
    del digests["report.html"]  # has a golden file of its own
    return {
        "demo.json": printed,
        "demo.files.json": (json.dumps(digests, indent=1) + "\n").encode(),
        "demo.report.html": report,
    }


def _digest(file: Path) -> str:
    """Of the text: what gzip makes of it depends on the version of zlib."""
    content = file.read_bytes()
    return hashlib.sha256(gzip.decompress(content) if file.suffix == ".gz" else content).hexdigest()


def _scores(folder: Path) -> bytes:
    words = ("evaluate", *RUNS, "--qrels", "qrels-sparse.txt", "--queries", "private.txt", "-m", "RR@10")
    return run_program((*words, "--per-query", "--format", "csv"), folder)
