"""Sharded runs on one machine and on a cluster: time, memory and bytes moved per million rows, and equal answers.

python -m benchmarks.cluster FOLDER --millions 1 7 28            sizes on this machine alone
python -m benchmarks.cluster FOLDER --millions 28 --one-core --workers 1 2 4   and on so many workers, over TCP
python -m benchmarks.cluster FOLDER --millions 28 --cores        what a second core of this machine is worth at most

FOLDER takes the made-up runs, some 7.5 MB per million rows. Every answer comes from a process of its own.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

DEPTH: Final = 1000
QUERIES_PER_SHARD: Final = 2000
DOCUMENTS: Final = 8_388_593
"""A prime: documents that are a step apart, any step, are distinct in a list."""
JUDGED: Final = 10
RUNS: Final = 4
VERBS: Final = ("evaluate", "compare", "board")
TITLES: Final = (
    "what", "million rows", "s", "s per million", "CPU s", "peak MB here", "of a worker", "MB moved",
    "kB per million", "answer",
)  # fmt: skip


def make_runs(folder: Path, millions: float) -> Path:
    """Runs with some million rows together, and their qrels, made up; the same folder again if it is there."""
    import polars as pl

    base = folder / f"{millions:g}m"
    queries = max(1, round(millions * 1_000_000 / DEPTH / RUNS))
    if (base / "done").exists():
        return base
    documents = np.random.default_rng(0).integers(DOCUMENTS, DOCUMENTS + 1_000_000, (queries, JUDGED))
    for run in range(RUNS):
        (base / f"run-{run}").mkdir(parents=True, exist_ok=True)
        for number, first in enumerate(range(0, queries, QUERIES_PER_SHARD)):
            random = np.random.default_rng([run, number])
            some = min(QUERIES_PER_SHARD, queries - first)
            first_doc, step = (random.integers(1, DOCUMENTS, (some, 1)) for _ in range(2))
            docs = (first_doc + step * np.arange(DEPTH)) % DOCUMENTS
            ranks = random.integers(0, 200, some)
            docs[np.arange(some), ranks] = documents[first : first + some, run]
            scores = np.sort(random.normal(20, 5, (some, DEPTH)).astype(np.float32), axis=1)[:, ::-1]
            frame = pl.DataFrame({
                "query_id": np.repeat(np.arange(first, first + some), DEPTH), "doc_id": docs.ravel(),
                "score": scores.ravel(),
            })  # fmt: skip
            frame.cast({"query_id": pl.String, "doc_id": pl.String}).write_parquet(
                base / f"run-{run}" / f"part-{number}.parquet"
            )
    with (base / "qrels.txt").open("w") as file:
        for query, found in enumerate(documents.tolist()):
            file.writelines(f"{query} 0 {doc} {1 + place % 2}\n" for place, doc in enumerate(dict.fromkeys(found)))
    (base / "done").touch()
    return base


def answer(base: Path, verb: str, address: str | None) -> dict[str, Any]:
    """What a verb says of the runs, how long it took, and what was moved; in this process."""
    from runoff.reading.cluster import Cluster, ClusterEngine
    from runoff.reading.sources import ReadOptions
    from runoff.verbs.board import board
    from runoff.verbs.compare import compare
    from runoff.verbs.evaluate import evaluate

    runs, qrels = [str(base / f"run-{run}") for run in range(RUNS)], str(base / "qrels.txt")
    with ExitStack() as stack:
        engine = None if address is None else stack.enter_context(ClusterEngine(Cluster(address=address)))
        start = time.perf_counter()
        reading = ReadOptions(engine=engine)
        if verb == "evaluate":
            said = evaluate(runs, qrels, measures=["RR@10", "nDCG@10"], reading=reading).to_dict()
        elif verb == "compare":
            said = compare(runs[0], runs[1:], qrels, reading=reading).to_dict()
        else:
            said = board(runs, qrels, trials=200, reading=reading).to_dict()
        seconds = time.perf_counter() - start
        moved = (0, 0) if engine is None else (engine.sent, engine.received)
    digest = hashlib.sha256(json.dumps(said).encode()).hexdigest()
    return {
        "seconds": seconds,
        "cpu": time.process_time(),
        "peak": peak_of(os.getpid()),
        "moved": moved,
        "digest": digest,
    }


def worth_of_cores(base: Path, verb: str) -> str:
    """How much more two processes do at once, each on a core of its own, than one alone: what no cluster can beat."""
    alone = asked(base, verb, core=0)["seconds"]
    with ThreadPoolExecutor(2) as pool:
        both = max(one["seconds"] for one in pool.map(lambda core: asked(base, verb, core=core), range(2)))
    return f"{verb}: {alone:.1f} s on one core, {both:.1f} s each on two at once: worth {2 * alone / both:.2f} cores"


def peak_of(pid: int) -> int:
    """The most memory that a process has had, in bytes."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) * 1024 if found else 0


def cpu_of(pid: int) -> float:
    """The processor time that a process has taken, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def asked(base: Path, verb: str, address: str | None = None, *, core: int | None = None) -> dict[str, Any]:
    """The same from a process of its own, on one core, the first or another, if so wished."""
    command = [sys.executable, "-m", "benchmarks.cluster", str(base), "--answer", verb]
    command += [] if address is None else ["--address", address]
    command += [] if core is None else ["--core", str(core)]
    result: dict[str, Any] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return result


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, list[int]]]:
    """A scheduler and some workers of one thread each, in processes of their own over TCP; address and process ids."""
    one_thread = {**os.environ, "POLARS_MAX_THREADS": "1"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": one_thread}
    dask = [sys.executable, "-m", "dask"]
    file = Path(f"/tmp/runoff-scheduler-{os.getpid()}.json")  # noqa: S108
    options = [
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--dashboard-address",
        "127.0.0.1:0",
        "--scheduler-file",
        str(file),
    ]
    with ExitStack() as stack:
        stack.callback(file.unlink, missing_ok=True)
        started = [subprocess.Popen([*dask, "scheduler", *options], **quiet)]  # type: ignore[call-overload]
        try:
            while not file.exists() or not file.read_text().rstrip().endswith("}"):  # it is being written
                time.sleep(0.1)
            address = json.loads(file.read_text())["address"]
            mine = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
            started += [
                subprocess.Popen([*dask, "worker", address, *mine], **quiet)  # type: ignore[call-overload]
                for _ in range(workers)
            ]
            wait_for(address, workers)
            yield address, [one.pid for one in started[1:]]
        finally:
            for one in reversed(started):
                one.kill()
                one.wait()


def wait_for(address: str, workers: int) -> None:
    """Wait until so many workers are there."""
    from distributed import Client

    with Client(address) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(workers, timeout=120)


def row(what: str, millions: float, found: dict[str, Any], peaks: Sequence[int] = ()) -> str:
    """A line of the table."""
    moved = sum(found["moved"])
    there = f"{max(peaks) / 1e6:,.0f}" if peaks else ""
    cells = (
        what, f"{millions:g}", f"{found['seconds']:.1f}", f"{found['seconds'] / millions:.3f}", f"{found['cpu']:.1f}",
        f"{found['peak'] / 1e6:,.0f}", there, f"{moved / 1e6:.2f}", f"{moved / millions / 1e3:.1f}",
        f"`{found['digest'][:12]}`",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--millions", type=float, nargs="+", default=[1])
    parser.add_argument("--workers", type=int, nargs="*", default=[])
    parser.add_argument("--verbs", nargs="+", choices=VERBS, default=["evaluate"])
    parser.add_argument("--answer", choices=VERBS, help=argparse.SUPPRESS)
    parser.add_argument("--address", help=argparse.SUPPRESS)
    parser.add_argument("--one-core", action="store_true", help="this process on one core too, as each worker has")
    parser.add_argument("--cores", action="store_true", help="two processes at once, on a core each")
    parser.add_argument("--core", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.answer:
        if options.core is not None:
            os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[options.core]})
        print(json.dumps(answer(options.folder, options.answer, options.address)))
        return
    print(f"| {' | '.join(TITLES)} |\n|{'---|' * len(TITLES)}", flush=True)
    for millions in options.millions:
        base = make_runs(options.folder, millions)
        for verb in options.verbs:
            print(row(f"{verb}, this process", millions, asked(base, verb)), flush=True)
            if options.one_core:
                print(row(f"{verb}, this process, one core", millions, asked(base, verb, core=0)), flush=True)
            if options.cores:
                print(worth_of_cores(base, verb), flush=True)
        for workers in options.workers:
            with cluster(workers) as (address, pids):
                for verb in options.verbs:
                    before = sum(map(cpu_of, pids))
                    found = asked(base, verb, address)
                    found["cpu"] += sum(map(cpu_of, pids)) - before
                    print(row(f"{verb}, {workers} workers", millions, found, list(map(peak_of, pids))), flush=True)


if __name__ == "__main__":
    main()
