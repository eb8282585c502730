"""Reading runs: any file form, whole or only as far as some qrels need it."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from pathlib import Path

from runoff.files.run_sieve import WholeRunNeededError, read_hits_and_top
from runoff.files.run_text import read_run_rows
from runoff.files.shard_names import is_pattern
from runoff.files.sharded_runs import parts_of, read_serps_and_top_of_parts, read_sharded_run, read_sharded_serps
from runoff.files.shards import is_sharded
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, is_regular_file, source_name
from runoff.tables.qrels import Qrels
from runoff.tables.ranking import checked_tie_rule
from runoff.tables.run import Run
from runoff.tables.serps import Serps

_COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst")


def run_name(source: Source) -> str:
    """What a run is called if nobody names it: its file's name without folder and compression ending.

    A pattern has the name of the folder that it looks into.
    """
    path = Path(source_name(source))
    if is_pattern(source):
        path = next((folder for folder in path.parents if folder.name and not glob.has_magic(str(folder))), path)
    name = path.name
    for ending in _COMPRESSIONS:
        name = name.removesuffix(ending)
    return name


def read_run(
    source: Source, *, name: str | None = None, tie_rule: str = "trec_eval", max_bytes: int = DEFAULT_MAX_BYTES
) -> Run:
    """The run in a file: TREC or MS MARCO text, plain or compressed, or Parquet.

    source     a path, `-` for standard input, bytes, or an open binary file; for Parquet also a folder of files, a
               pattern such as `bm25/*.parquet`, or an address such as `s3://bucket/bm25`
    name       what to call it; else the file's name
    tie_rule   how equal scores are ordered: `trec_eval`, `float32` or `file`
    max_bytes  the largest decompressed size that is read
    """
    rule = checked_tie_rule(tie_rule)
    called = name or run_name(source)
    if is_sharded(source):
        return read_sharded_run(source, name=called, tie_rule=rule, max_bytes=max_bytes)
    return Run.ranked(called, read_run_rows(source, max_bytes=max_bytes), rule)


def read_serps(
    source: Source,
    qrels: Qrels,
    *,
    depth: int | None = None,
    name: str | None = None,
    tie_rule: str = "trec_eval",
    max_bytes: int = DEFAULT_MAX_BYTES,
    threads: int | None = None,
) -> Serps:
    """The grades that the run in a file earns under some qrels; equals `read_run(source).serps(qrels)`, but is fast.

    Only the documents that the qrels may hold are kept. A file that is not in rank order, or has faults, is read once
    more, whole. Parquet is read part by part, so that memory does not grow with the run.
    """
    if is_sharded(source):
        return read_sharded_serps(
            source, qrels, name=name or run_name(source), tie_rule=checked_tie_rule(tie_rule), depth=depth,
            max_bytes=max_bytes, threads=threads,
        )  # fmt: skip
    (serps,), _ = read_serps_and_top(
        source, [qrels], top=0, depth=depth, name=name, tie_rule=tie_rule, max_bytes=max_bytes, threads=threads
    )
    return serps


def read_serps_and_top(
    source: Source,
    labels: Sequence[Qrels],
    *,
    top: int,
    depth: int | None = None,
    name: str | None = None,
    tie_rule: str = "trec_eval",
    max_bytes: int = DEFAULT_MAX_BYTES,
    threads: int | None = None,
) -> tuple[tuple[Serps, ...], Run]:
    """The grades that the run in a file earns under each of some qrels, and the run cut at rank `top`, in one reading.

    Equals `run.serps(qrels, depth=depth)` for each and `run.top(top)` of `read_run(source)`. A run in
    Parquet is read in parts, so memory is that of the parts in work and of what is kept.
    """
    rule = checked_tie_rule(tie_rule)
    called = name or run_name(source)
    if is_sharded(source):
        parts = parts_of(source, max_bytes=max_bytes)
        return read_serps_and_top_of_parts(
            parts, labels, top=top, name=called, tie_rule=rule, depth=depth, threads=threads
        )
    if isinstance(source, bytes) or is_regular_file(source):
        sieves = [qrels.sieve for qrels in labels]
        try:
            hits, best = read_hits_and_top(
                source, sieves, top=top, name=called, tie_rule=rule, max_bytes=max_bytes, threads=threads
            )
        except WholeRunNeededError:
            pass
        else:
            return tuple(one.serps(qrels, depth=depth) for one, qrels in zip(hits, labels, strict=True)), best
    whole = read_run(source, name=called, tie_rule=rule, max_bytes=max_bytes)
    return tuple(whole.serps(qrels, depth=depth) for qrels in labels), whole.top(top)
