"""Pools of 100 runs, and the texts of 500 pools out of 8.8 million passages."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.data import bench_folder
from benchmarks.tables import Benchmark, Scale, Section, Target, seconds

RUNS: Final = 100
POOL: Final = 30
PASSAGES: Final = 8_841_823
WANTED: Final = 3200
"""Documents of 500 pools of six or so."""


def measure(scale: Scale) -> Section:
    """Time pools, tasks of a sample, and the lookup of texts; the last beside a loop over lines in plain Python."""
    from runoff.files import read_texts
    from runoff.preferences import make_pools, make_tasks, sample_queries

    is_full = scale.main > 1000
    runs, qrels = _board(RUNS if is_full else 4, scale.main)
    passages, wanted = (PASSAGES, WANTED) if is_full else (2000, 50)
    file = _collection(passages)
    ids = [str(one) for one in np.random.default_rng(1).choice(passages, wanted, replace=False).tolist()]
    rounds, gigabytes = scale.slow_rounds or 1, file.stat().st_size / 1e9
    pools = make_pools(runs, qrels)
    sample = pools.only(sample_queries(pools, min(500, int((pools.sizes > 1).sum()))))
    known = [("x", "right", f"wrong {number}") for number in range(3)]
    rows, targets = [], []
    for name, work, limit in (
        (f"pools of {len(runs)} runs x {scale.main:,} queries", lambda: make_pools(runs, qrels), 5),
        (f"tasks of {sample.pair_count:,} pairs", lambda: make_tasks(sample.pairs(), known), 5),
        (f"{wanted:,} texts of {passages:,} passages, {gigabytes:.2f} GB", lambda: read_texts(file, ids), 30),
        ("the same in plain Python", lambda: _plain(file, set(ids)), None),
    ):  # fmt: skip
        taken = _times(work, rounds)
        rows.append([name, seconds(min(taken)), seconds(statistics.median(taken))])
        if limit:
            targets.append(Target(f"pools: {name}", "below", limit, "s", min(taken), statistics.median(taken)))
    found = read_texts(file, ids)
    assert found.by_id == _plain(file, set(ids))
    return Section(
        "pools: what is to be judged", ["what", "best s", "median s"], rows, ["Both lookups agree."], targets
    )


def _times(function: Callable[[], object], rounds: int) -> list[float]:
    taken = []
    for _ in range(rounds):
        begin = time.perf_counter()
        function()
        taken.append(time.perf_counter() - begin)
    return taken


def _plain(file: Path, wanted: set[str]) -> dict[str, str]:
    found = {}
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            one, _, text = line.rstrip("\n").partition("\t")
            if one in wanted:
                found[one] = text
    return found


def _board(number: int, queries: int) -> tuple[list[Any], Any]:
    """Runs with one document for each query, of 30 that it may be."""
    from runoff.tables import Ids, Qrels, Run

    rng = np.random.default_rng(0)
    ids = tuple(map(str, range(queries)))

    def docs() -> Ids:
        places = rng.integers(0, POOL, queries) ** 2 // POOL  # some documents are on top of many runs
        return Ids.of(f"passage_{place:02d}_{query:09d}" for query, place in enumerate(places.tolist()))

    runs = [
        Run(
            name=f"run {place}", query_ids=ids, bounds=np.arange(queries + 1), docs=docs(),
            run_scores=np.ones(queries), tie_rule="trec_eval",
        )
        for place in range(number)
    ]  # fmt: skip
    grades = np.ones(queries, dtype=np.int8)
    return runs, Qrels(name="qrels", query_ids=ids, row_query=np.arange(queries), docs=docs(), relevance=grades)


def _collection(passages: int) -> Path:
    """A TSV file with passages of about 360 bytes, as those of MS MARCO are."""
    file = bench_folder() / f"collection-{passages}.tsv"
    if not file.is_file():
        rng = np.random.default_rng(0)
        words = [bytes(rng.integers(97, 123, rng.integers(2, 10)).astype(np.uint8)) for _ in range(5000)]
        texts = [b" ".join(words[place] for place in rng.integers(0, 5000, rng.integers(20, 90))) for _ in range(2000)]
        beside = file.with_suffix(".part")
        with beside.open("wb") as out:
            for begin in range(0, passages, 100_000):
                part = range(begin, min(passages, begin + 100_000))
                out.write(b"".join(b"%d\t%s %d\n" % (one, texts[one % 2000], one) for one in part))
        beside.replace(file)
    return file


BENCHMARK: Final = Benchmark("pools", measure)
