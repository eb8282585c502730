"""Reading runs: any file form, whole or only as far as some qrels need it."""

from __future__ import annotations

import glob
from dataclasses import replace
from pathlib import Path

from runoff.arguments import checks_arguments
from runoff.choices import DuplicateRule, TieRule
from runoff.files.ir_metadata import metadata_of_head, read_metadata_beside
from runoff.files.parquet.sharded_runs import read_sharded_lists, read_sharded_serps, read_whole_lists
from runoff.files.parquet.shards import is_pattern, is_sharded
from runoff.files.recognise import recognised
from runoff.files.streams import COMPRESSIONS, DEFAULT_MAX_BYTES, Source, peeked, source_name, split_part
from runoff.files.text.runs import read_lists as read_text_lists
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ALL, ListRequest, RankedLists
from runoff.tables.run import Run
from runoff.tables.run_metadata import field_text
from runoff.tables.serps import Serps


def run_name(source: Source) -> str:
    """What a run is called if nobody names it: its file's name without folder and compression ending.

    A pattern has the name of the folder that it looks into.
    """
    path = Path(split_part(source_name(source))[0])
    if is_pattern(source):
        path = next((folder for folder in path.parents if folder.name and not glob.has_magic(str(folder))), path)
    name = path.name
    for ending in COMPRESSIONS:
        name = name.removesuffix(ending)
    return name


@checks_arguments
def read_run(
    source: Source,
    *,
    name: str | None = None,
    tie_rule: TieRule = "trec_eval",
    duplicates: DuplicateRule = "error",
    max_bytes: int = DEFAULT_MAX_BYTES,
) -> Run:
    """The run in a file: TREC or MS MARCO text, plain or compressed, or Parquet.

    source      a path, `-` for standard input, bytes, or an open binary file; for Parquet also a folder of files, a
                pattern such as `bm25/*.parquet`, or an address such as `s3://bucket/bm25`
    name        what to call it; else the file's name, or the tag of its ir_metadata where it comes from no file
    tie_rule    how equal scores are ordered: `trec_eval`, `float32`, `file` or `doc_ascending`
    duplicates  what becomes of a document that is listed twice for a query: `error`, `first` or `best`
    max_bytes   the largest decompressed size that is read
    """
    request = ListRequest(top=ALL, tie_rule=tie_rule, duplicates=duplicates)
    if is_sharded(source):
        lists, metadata = read_whole_lists(source, request, max_bytes=max_bytes), {}
    else:
        with peeked(source) as (head, rest):
            metadata = metadata_of_head(head, source_name(source))
            lists = read_lists(rest, request, max_bytes=max_bytes)
    metadata = metadata or read_metadata_beside(source)
    called = name or (field_text(metadata, "tag") if source_name(source).startswith("<") else "") or run_name(source)
    return replace(Run.of_lists(called, lists, request), metadata=metadata)


def read_lists(
    source: Source, request: ListRequest, *, max_bytes: int = DEFAULT_MAX_BYTES, threads: int | None = None
) -> RankedLists:
    """The ranked lists of one run file, whose format is recognised by its first bytes."""
    with peeked(source) as (head, rest):
        form = recognised(head, "run", source_name(source))
        if form is None:
            return read_text_lists(rest, request, max_bytes=max_bytes, threads=threads)
        from runoff.files.peers.tables import read_peer_lists

        return read_peer_lists(form, rest, request, max_bytes=max_bytes)


def read_serps(
    source: Source,
    qrels: Qrels,
    *,
    depth: int | None = None,
    name: str | None = None,
    tie_rule: TieRule = "trec_eval",
    duplicates: DuplicateRule = "error",
    max_bytes: int = DEFAULT_MAX_BYTES,
    threads: int | None = None,
) -> Serps:
    """The grades that the run in a file earns under some qrels; equals `read_run(source).serps(qrels)`.

    Only judged documents are kept, so that memory does not grow with the run if its queries are in blocks. Other files
    are held whole until they are ranked. Parquet is read part by part.
    """
    request = ListRequest(labels=(qrels,), depth=depth, tie_rule=tie_rule, duplicates=duplicates)
    called = name or run_name(source)
    if is_sharded(source):
        return read_sharded_serps(source, request, name=called, max_bytes=max_bytes, threads=threads)
    return read_lists(source, request, max_bytes=max_bytes, threads=threads).serps(0, request, run=called)


def read_serps_and_top(
    source: Source,
    request: ListRequest,
    *,
    name: str | None = None,
    max_bytes: int = DEFAULT_MAX_BYTES,
    threads: int | None = None,
) -> tuple[tuple[Serps, ...], Run | None]:
    """The grades that the run in a file earns under each of some qrels, and the run cut at a rank, in one reading.

    Equals `run.serps(qrels, depth=depth)` for each and `run.top(top)` of `read_run(source)`; None for the run if `top`
    is 0. A run in Parquet is read in parts, so memory is that of the parts in work and of what is kept.
    """
    called = name or run_name(source)
    read = read_sharded_lists if is_sharded(source) else read_lists
    lists = read(source, request, max_bytes=max_bytes, threads=threads)
    earned = tuple(lists.serps(number, request, run=called) for number in range(len(request.labels)))
    return earned, Run.of_lists(called, lists, request) if request.top else None
