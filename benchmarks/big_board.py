"""Boards that are too large for memory: in memory and in files, on this machine and on a cluster, with equal answers.

python -m benchmarks.big_board FOLDER --queries 500000 1000000 --runs 8
python -m benchmarks.big_board FOLDER --queries 1000000 --runs 8 --workers 2 --verbs board

python -m benchmarks.big_board FOLDER --queries 200000 --runs 8 --judged 5 --measure nDCG@10 --verbs reliability

FOLDER takes the made-up runs: lists of ten documents. With several judged documents a query nDCG has many values. Every
answer comes from a process of its own. Peak MB is what the process held by itself, without the pages of files that the
system takes back at will.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.cluster import cluster, peak_of

DEPTH: Final = 10
DOCUMENTS: Final = 8_388_593
SHARD_QUERIES: Final = 1 << 17
PART_ROWS: Final = 1 << 18
"""Few, so that the memory of the board shows and not that of the parts."""
TRIALS: Final = 200
SPLITS: Final = 20
VERBS: Final = ("board", "reliability")
TITLES: Final = ("what", "queries", "runs", "s", "CPU s", "peak MB", "in files, MB", "of a worker", "answer")


def make_board(folder: Path, queries: int, runs: int, judged: int = 1) -> Path:
    """Runs over some queries and their qrels, made up, in Parquet; the same folder again if it is there."""
    import polars as pl

    base = folder / f"{queries}x{runs}x{judged}"
    if (base / "done").exists():
        return base
    for number, first in enumerate(range(0, queries, SHARD_QUERIES)):
        some = min(SHARD_QUERIES, queries - first)
        ids = pl.Series(np.arange(first, first + some)).cast(pl.String).str.zfill(9)
        random = np.random.default_rng([0, number])
        known = random.integers(DOCUMENTS, 2 * DOCUMENTS, (some, 1)) + np.arange(judged)
        hard = random.random(some)
        (base / "qrels").mkdir(parents=True, exist_ok=True)
        frame = pl.DataFrame({
            "query_id": ids.gather(np.repeat(np.arange(some), judged)), "doc_id": known.ravel(),
            "relevance": np.tile(1 + np.arange(judged) % 3, some).astype(np.int8),
        })  # fmt: skip
        frame.cast({"doc_id": pl.String}).write_parquet(base / "qrels" / f"part-{number:05}.parquet")
        for run in range(runs):
            random = np.random.default_rng([1 + run, number])
            docs = random.integers(1, DOCUMENTS, (some, 1)) + np.arange(DEPTH)
            for doc in known.T:
                ranks = (random.exponential(4 + run / runs, some) * (0.5 + hard)).astype(int)
                found = np.flatnonzero(ranks < DEPTH)
                docs[found, ranks[found]] = doc[found]
            (base / f"run-{run}").mkdir(exist_ok=True)
            frame = pl.DataFrame({
                "query_id": ids.gather(np.repeat(np.arange(some), DEPTH)), "doc_id": docs.ravel(),
                "score": np.tile(np.arange(DEPTH, 0, -1, dtype=np.float32), some),
            })  # fmt: skip
            frame.cast({"doc_id": pl.String}).write_parquet(base / f"run-{run}" / f"part-{number:05}.parquet")
    (base / "done").touch()
    return base


def answer(base: Path, verb: str, measure: str, at_once: int, address: str | None) -> dict[str, Any]:
    """What a verb says of the runs, how long it took, and the memory; in this process."""
    from runoff.reading.cluster import Cluster, ClusterEngine
    from runoff.reading.sources import ReadOptions
    from runoff.tables.memory import Scratch
    from runoff.verbs.board import board
    from runoff.verbs.reliability import reliability

    runs = sorted(map(str, base.glob("run-*")))
    taken = 0

    def counted(self: Scratch, shape: tuple[int, ...], dtype: Any, **more: Any) -> Any:
        nonlocal taken
        taken += int(np.prod(shape)) * np.dtype(dtype).itemsize
        return empty(self, shape, dtype, **more)

    empty, Scratch.empty = Scratch.empty, counted  # type: ignore[method-assign]
    with ExitStack() as stack:
        engine = None if address is None else stack.enter_context(ClusterEngine(Cluster(address=address)))
        reading = ReadOptions(engine=engine, at_once=at_once, part_rows=PART_ROWS)
        own = stack.enter_context(own_memory())
        start = time.perf_counter()
        if verb == "board":
            said = board(runs, str(base / "qrels"), measures=measure, trials=TRIALS, reading=reading).to_dict()
        else:
            said = reliability(runs, str(base / "qrels"), measures=measure, splits=SPLITS, reading=reading).to_dict()
        seconds = time.perf_counter() - start
    digest = hashlib.sha256(json.dumps(said).encode()).hexdigest()
    return {"seconds": seconds, "cpu": time.process_time(), "peak": max(own), "files": taken, "digest": digest}


@contextmanager
def own_memory() -> Iterator[list[int]]:
    """What this process holds by itself, in bytes, looked at ten times a second."""
    seen, done = [0], threading.Event()

    def look() -> None:
        while not done.wait(0.1):
            found = re.search(r"RssAnon:\s+(\d+) kB", Path("/proc/self/status").read_text())
            seen.append(int(found[1]) * 1024 if found else 0)

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield seen
    finally:
        done.set()
        watcher.join()


def asked(base: Path, verb: str, measure: str, at_once: int, address: str | None = None) -> dict[str, Any]:
    """The same from a process of its own."""
    command = [sys.executable, "-m", "benchmarks.big_board", str(base), "--answer", verb, "--measure", measure,
               "--at-once", str(at_once), *([] if address is None else ["--address", address])]  # fmt: skip
    result: dict[str, Any] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return result


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=int, nargs="+", default=[200_000])
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--judged", type=int, default=1)
    parser.add_argument("--workers", type=int, nargs="*", default=[])
    parser.add_argument("--verbs", nargs="+", choices=VERBS, default=list(VERBS))
    parser.add_argument("--measure", default="RR@10")
    parser.add_argument("--only-files", action="store_true", help="leave out what is held in memory")
    parser.add_argument("--answer", choices=VERBS, help=argparse.SUPPRESS)
    parser.add_argument("--at-once", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--address", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.answer:
        found = answer(options.folder, options.answer, options.measure, options.at_once, options.address)
        print(json.dumps(found))
        return
    print(f"| {' | '.join(TITLES)} |\n|{'---|' * len(TITLES)}", flush=True)
    for queries in options.queries:
        base = make_board(options.folder, queries, options.runs, options.judged)

        def row(what: str, found: dict[str, Any], there: str = "", queries: int = queries) -> None:
            cells = (
                what, f"{queries:,}", str(options.runs), f"{found['seconds']:.1f}", f"{found['cpu']:.1f}",
                f"{found['peak'] / 1e6:,.0f}", f"{found['files'] / 1e6:,.0f}", there, f"`{found['digest'][:12]}`",
            )  # fmt: skip
            print(f"| {' | '.join(cells)} |", flush=True)

        for verb in options.verbs:
            if not options.only_files:
                row(f"{verb}, in memory", asked(base, verb, options.measure, 1 << 60))
            row(f"{verb}, in files", asked(base, verb, options.measure, 0))
        for workers in options.workers:
            with cluster(workers) as (address, pids):
                for verb in options.verbs:
                    found = asked(base, verb, options.measure, 0, address)
                    row(f"{verb}, in files, {workers} workers", found, f"{max(map(peak_of, pids)) / 1e6:,.0f}")


if __name__ == "__main__":
    main()
