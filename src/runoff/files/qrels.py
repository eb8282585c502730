"""Reading qrels: text or Parquet."""

from __future__ import annotations

from runoff.files.runs import run_name
from runoff.files.sharded_runs import read_sharded_qrels
from runoff.files.shards import is_sharded
from runoff.files.streams import DEFAULT_MAX_BYTES, Source
from runoff.files.trec_qrels import read_trec_qrels
from runoff.tables.qrels import Qrels


def read_qrels(source: Source, *, name: str | None = None, max_bytes: int = DEFAULT_MAX_BYTES) -> Qrels:
    """The judgments in a file: TREC qrels, plain or compressed, or Parquet.

    source     a path, `-` for standard input, bytes, or an open binary file; for Parquet also a folder, a pattern or
               an address, as in `read_run`
    name       what to call them; else the file's name
    max_bytes  the largest decompressed size that is read
    """
    called = name or run_name(source)
    if is_sharded(source):
        return read_sharded_qrels(source, name=called, max_bytes=max_bytes)
    return read_trec_qrels(source, name=called, max_bytes=max_bytes)
