"""Made-up runs and labels of the size of MS MARCO passage ranking, the same bytes every time.

The runs lie in $RUNOFF_BENCH_DIR, or in a folder of the system's temporary one. They are written by a process of
their own: a process inherits the peak memory of the one that starts it, so the one that measures must stay small.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
DEPTH: Final = 1000
DOCUMENTS: Final = 8_841_823
QUERY_IDS: Final = 1_102_433
"""Ids of queries are below this, ids of documents below DOCUMENTS, as in MS MARCO."""
SECOND_LABEL: Final = 0.07
"""The share of queries with a second relevant document: 1.07 per query on average."""
FOUND: Final = 0.87
"""The share of queries whose relevant document is in the run at all."""
VERSION: Final = 1
"""Part of the file names; raised when the content changes."""

_BLOCK: Final = 1000
_FIRST_SCORE: Final = 38_000_000
_STEPS: Final = (100, 60_000)
"""Scores in millionths fall by such steps: far enough for no ties, in float32 either, so that all tools agree."""


@dataclass(frozen=True)
class Sample:
    """A run with a number of queries, each 1000 deep, and its qrels."""

    folder: Path
    queries: int

    @property
    def run(self) -> Path:
        """The run in TREC form."""
        return self.folder / f"v{VERSION}-{self.queries}.run"

    @property
    def qrels(self) -> Path:
        """The labels; written last, so that where they are, the run is whole."""
        return self.folder / f"v{VERSION}-{self.queries}.qrels"

    @property
    def lines(self) -> int:
        """Lines of the run."""
        return self.queries * DEPTH

    def other_run(self) -> Path:
        """A second run of the same documents in another order, made unless it is there already."""
        other = self.run.with_suffix(".other.run")
        if not other.is_file():
            command = [sys.executable, "-m", "benchmarks.data", str(self.queries), str(other)]
            subprocess.run(command, cwd=ROOT, check=True)
        return other

    def links(self, count: int) -> list[Path]:
        """More names for the run."""
        folder = self.folder / f"links-v{VERSION}-{self.queries}"
        folder.mkdir(exist_ok=True)
        names = [folder / f"system{number:02}.run" for number in range(1, count + 1)]
        for name in names:
            if not name.is_symlink():
                name.symlink_to(self.run)
        return names


def bench_folder() -> Path:
    """Where the samples are kept."""
    return Path(os.environ.get("RUNOFF_BENCH_DIR") or Path(tempfile.gettempdir()) / "runoff-benchmarks")


def sample(queries: int) -> Sample:
    """A sample, made unless it is there already, and read once."""
    wanted = Sample(bench_folder(), queries)
    if not wanted.qrels.is_file():
        print(f"writing a run of {wanted.lines:,} lines", file=sys.stderr, flush=True)
        command = [sys.executable, "-m", "benchmarks.data", str(queries)]
        subprocess.run(command, cwd=ROOT, check=True)
    read_through(wanted.run)
    return wanted


def read_through(path: Path) -> None:
    """Read a file once, so that the system has it in memory."""
    with path.open("rb") as file:
        while file.read(1 << 20):
            pass


def write_sample(queries: int) -> Sample:
    """Write a run and its qrels."""
    import numpy as np
    import polars as pl

    made = Sample(bench_folder(), queries)
    made.folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([VERSION, queries])
    query_ids = rng.choice(QUERY_IDS, size=queries, replace=False)
    labels = []
    part = made.run.with_suffix(f".{os.getpid()}.part")
    with part.open("wb") as file:
        for begin in range(0, queries, _BLOCK):
            ids = query_ids[begin : begin + _BLOCK]
            docs = rng.integers(DOCUMENTS, size=(len(ids), DEPTH))
            while (again := (np.diff(np.sort(docs, axis=1), axis=1) == 0).any(axis=1)).any():
                docs[again] = rng.integers(DOCUMENTS, size=(int(again.sum()), DEPTH))
            scores = _FIRST_SCORE - np.cumsum(rng.integers(*_STEPS, size=docs.shape), axis=1)
            frame = pl.DataFrame(
                {
                    "query": np.repeat(ids, DEPTH),
                    "iteration": pl.repeat("Q0", docs.size, eager=True),
                    "doc": docs.ravel(),
                    "rank": np.tile(np.arange(1, DEPTH + 1), len(ids)),
                    "score": scores.ravel() / 1e6,
                    "tag": pl.repeat("made-up", docs.size, eager=True),
                }
            )
            frame.write_csv(file, include_header=False, separator=" ", float_precision=6)
            for place in range(2):  # the first label for all, the second for a few; log-uniform ranks
                chosen = np.flatnonzero(rng.random(len(ids)) < (1, SECOND_LABEL)[place])
                ranks = np.floor(DEPTH ** rng.random(len(chosen))).astype(np.int64) - 1
                absent = DOCUMENTS + 2 * chosen + place
                relevant = np.where(rng.random(len(chosen)) < FOUND, docs[chosen, ranks], absent)
                labels.append(pl.DataFrame({"query": ids[chosen], "zero": 0, "doc": relevant, "relevance": 1}))
    part.replace(made.run)
    qrels = pl.concat(labels).unique(maintain_order=True).write_csv(include_header=False, separator=" ")
    part.write_text(qrels, encoding="ascii")
    part.replace(made.qrels)
    return made


def write_other(made: Sample, path: Path) -> None:
    """Write the run again with the documents of every query moved by some ranks."""
    import numpy as np
    import polars as pl

    names = ["query", "iteration", "doc", "rank", "score", "tag"]
    frame = pl.read_csv(
        made.run, has_header=False, separator=" ", new_columns=names, schema_overrides={"score": pl.String}
    )
    rng = np.random.default_rng([VERSION, made.queries, 1])
    moved = np.argsort(np.arange(DEPTH) + rng.normal(0, 20, size=(made.queries, DEPTH)), axis=1)
    docs = np.take_along_axis(frame["doc"].to_numpy().reshape(-1, DEPTH), moved, axis=1)
    part = path.with_suffix(f".{os.getpid()}.part")
    frame.with_columns(doc=docs.ravel()).write_csv(part, include_header=False, separator=" ")
    part.replace(path)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        write_other(Sample(bench_folder(), int(sys.argv[1])), Path(sys.argv[2]))
    else:
        write_sample(int(sys.argv[1]))
