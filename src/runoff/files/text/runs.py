"""Runs from text: chunks are read in parallel, checked, ranked, and put together.

Most run files have the lines of a query one behind the other. Then a chunk of whole queries is ranked as soon as it is
read, and only what is wanted of it is kept: a file of any size takes little memory. A file in which queries come back,
or that has faults, is read once more, and all its rows are held until they are ranked.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Final

from runoff.files.problems import Problems, note_repeated
from runoff.files.streams import (
    DEFAULT_MAX_BYTES,
    Source,
    is_regular_file,
    map_in_order,
    read_chunks,
    skip_to_content,
    source_name,
)
from runoff.files.text.formats import RUN_FORMATS, TextFormat, unknown_format
from runoff.tables.ids import Text
from runoff.tables.ranked_lists import ListRequest, RankedLists, rank_batches

QUERY_COLUMN: Final = 0
"""Where all formats have the query; chunks are cut between queries before the format is known."""


class _NotInBlocksError(Exception):
    """Queries come back, or the file has faults: all rows are needed to go on. Never leaves this module."""


def read_lists(
    source: Source,
    request: ListRequest,
    *,
    max_bytes: int = DEFAULT_MAX_BYTES,
    threads: int | None = None,
) -> RankedLists:
    """The ranked lists of a run file; its faults, if it has any, are raised in one InputError."""
    if isinstance(source, bytes) or is_regular_file(source):
        try:
            return _read_blocks(source, request, max_bytes, threads)
        except _NotInBlocksError:
            pass
    return _read_whole(source, request, max_bytes, threads)


def _read_blocks(source: Source, request: ListRequest, max_bytes: int, threads: int | None) -> RankedLists:
    """The lists of a file whose queries do not come back, chunk by chunk."""
    run_format, chunks = open_run(source, max_bytes, block_column=QUERY_COLUMN)
    seen: set[str] = set()
    parts = []
    for part in map_in_order(partial(_rank_chunk, run_format, request), chunks, threads=threads):
        before = len(seen)
        seen.update(part.query_ids)
        if len(seen) - before < len(part.query_ids):
            raise _NotInBlocksError
        parts.append(part)
    return RankedLists.joined(parts)


def _rank_chunk(run_format: TextFormat, request: ListRequest, text: Text) -> RankedLists:
    batch = run_format.parsed(text, keep=False)
    if batch.fault_total or not batch.in_blocks:
        raise _NotInBlocksError
    lists = rank_batches([batch], request)
    if lists.repeated_total:
        raise _NotInBlocksError
    return lists


def _read_whole(source: Source, request: ListRequest, max_bytes: int, threads: int | None) -> RankedLists:
    """The lists of any file; all its rows are in memory until they are ranked."""
    run_format, chunks = open_run(source, max_bytes)
    problems = Problems(source_name(source))
    batches, lines_before = run_format.batches(chunks, problems, threads=threads)
    lists = rank_batches(batches, request, mapper=partial(map_in_order, threads=threads))
    note_repeated(problems, lists.repeated, lists.repeated_total, lines_before)
    problems.raise_if_any()
    return lists


def open_run(source: Source, max_bytes: int, *, block_column: int | None = None) -> tuple[TextFormat, Iterator[Text]]:
    """The format of a run file, and its chunks."""
    name = source_name(source)
    chunks = read_chunks(source, max_bytes=max_bytes, block_column=block_column)
    fields, seen = skip_to_content(chunks, name, "a run with a ranked document on every line")
    for run_format in RUN_FORMATS:
        if run_format.fits(len(fields)):
            return run_format, chain(seen, chunks)
    formats = " or ".join(
        f"{len(candidate.fields)} ({candidate.name}: {' '.join(candidate.fields)})" for candidate in RUN_FORMATS
    )
    hint = "; this looks like a qrels file" if len(fields) == 4 else ""
    if fields[0] == b"ir_metadata.start":
        hint = "; lines of ir_metadata are comments here, such as '# ir_metadata.start'"
    raise unknown_format(name, "run", fields, hint=hint, expected=formats)
