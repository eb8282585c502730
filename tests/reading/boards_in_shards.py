"""A small board twice: as text files and as folders of Parquet, under the same names."""

from typing import Any

import numpy as np
import polars as pl

from runoff.files import read_qrels, read_run
from runoff.reading.units import units_of
from runoff.tables.ranked_lists import ListRequest
from tests.files.sharded import write_shards


def run_lines(name, queries, depth, seed):
    """A run with ties, a query that nobody judged, and one that it lacks."""
    random = np.random.default_rng(seed)
    lines = []
    for query in ["extra", *(f"q{number}" for number in range(1, queries))]:
        docs = random.permutation(60)[:depth]
        scores = np.sort(np.round(random.normal(5, 2, depth), 1))[::-1]
        lines += [f"{query} Q0 d{doc} 1 {score} {name}\n" for doc, score in zip(docs, scores, strict=True)]
    return "".join(lines).encode()


def write_both(folder, *, runs=3, queries=40, depth=20, seed=0):
    """Write text/NAME and parquet/NAME for runs a, b, ... and the qrels; return the names of the runs."""
    random = np.random.default_rng(seed)
    texts = {name: run_lines(name, queries, depth, seed + place) for place, name in enumerate("abcdef"[:runs], start=1)}
    labels = "".join(
        f"q{query} 0 d{doc} {random.integers(0, 3)}\n"
        for query in range(queries)
        for doc in sorted(random.permutation(60)[:6])
    ).encode()
    (folder / "text").mkdir(parents=True)
    for name, content in {**texts, "qrels": labels}.items():
        (folder / "text" / name).write_bytes(content)
    for name, content in texts.items():
        rows = list(read_run(content, tie_rule="file"))
        cuts = sorted(random.integers(0, len(rows), 4).tolist())
        frame = pl.DataFrame(rows, schema=["query_id", "doc_id", "score"], orient="row")
        write_shards(frame, folder / "parquet" / name, cuts)
    judged = pl.DataFrame(list(read_qrels(labels)), schema=["query_id", "doc_id", "relevance"], orient="row")
    write_shards(judged, folder / "parquet" / "qrels", [7, 100])
    return tuple(texts)


def write_sorted(folder, *, runs=3, queries=60, depth=8, seed=0, order=int):
    """A board whose runs and qrels have their queries in one order, as folders; every run lacks some and adds some."""
    random = np.random.default_rng(seed)
    names = sorted(map(str, range(queries)), key=order)
    for name in "abcdef"[:runs]:
        rows = [
            (query, f"d{doc}", round(float(score), 1))
            for query in names
            if random.random() < 0.8
            for doc, score in zip(
                random.permutation(20)[:depth], np.sort(random.normal(5, 2, depth))[::-1], strict=True
            )
        ]
        frame = pl.DataFrame(rows, schema=["query_id", "doc_id", "score"], orient="row")
        write_shards(frame, folder / name, sorted(random.integers(0, len(rows), 3).tolist()))
    labels = [
        (query, f"d{doc}", int(random.integers(0, 4)))
        for query in names
        if random.random() < 0.8
        for doc in sorted(random.permutation(20)[: random.integers(1, 7)])
    ]
    judged = pl.DataFrame(labels, schema=["query_id", "doc_id", "relevance"], orient="row")
    write_shards(judged, folder / "qrels", [5, 50])
    return [str(folder / name) for name in "abcdef"[:runs]]


def units_and_qrels(folder, part_rows=20, depth=10):
    """The units of a run, and the qrels."""
    asked: Any = {"name": "a", "max_bytes": 1 << 30, "part_rows": part_rows}
    return units_of(folder / "parquet" / "a", ListRequest(depth=depth), **asked), read_qrels(folder / "text" / "qrels")
