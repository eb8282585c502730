"""Look through a run file that a stranger sent, before it is taken: its faults, its queries, and its fingerprints.

No label is read here, and no list of private queries, so what is found cannot tell anything about them: a file with
ids of private queries is treated as one with ids that nobody has heard of.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from runoff.boards.suspicious import FINGERPRINTS, Fingerprints, fingerprints
from runoff.errors import InputError
from runoff.files.ir_metadata import read_header
from runoff.files.query_list import read_query_list
from runoff.files.runs import read_serps_and_top
from runoff.files.streams import HEAD_BYTES
from runoff.server.cases.characters import check_characters
from runoff.server.cases.uploads.limited_process import LimitedReader
from runoff.server.cases.uploads.run import SHOWN_PROBLEMS, clean_file_name, readable_bytes, readable_run
from runoff.tables.board import DEVELOPMENT
from runoff.tables.ranked_lists import ListRequest
from runoff.tables.run_metadata import flat_fields

MOST_METADATA: Final = 8 * HEAD_BYTES
"""Characters of a header as JSON."""


@dataclass(frozen=True, kw_only=True)
class FoundInFile:
    """What is in a file: its problems, and how many of the board's open queries it has.

    lists     fingerprints of its lists for the public queries, those for development not among them
    metadata  the ir_metadata of its header
    """

    problems: tuple[str, ...] = ()
    queries: int = 0
    missing_queries: int = 0
    metadata: Mapping[str, Any] = field(default_factory=dict)
    lists: Fingerprints = field(default_factory=lambda: np.zeros(0, dtype=FINGERPRINTS), compare=False)


@dataclass(frozen=True, kw_only=True)
class OpenQueries:
    """What a file is held against: lists of open queries by name, and the depth to which runs are compared.

    board  the name of the board in its address, for errors
    """

    board: str
    lists: Sequence[tuple[str, Path]]
    depth: int


def look_through(path: Path, queries: OpenQueries, *, file_name: str, reader: LimitedReader) -> FoundInFile:
    """Read a file, and compare its queries with the open ones of the board; faults are among what is found."""
    try:
        return read_through(path, queries, file_name=file_name, reader=reader)
    except InputError as error:
        return FoundInFile(problems=tuple(error.problems[:SHOWN_PROBLEMS]))


def read_through(path: Path, queries: OpenQueries, *, file_name: str, reader: LimitedReader) -> FoundInFile:
    """The same; faults of the file are raised."""
    called = clean_file_name(file_name)
    request = {
        "path": str(path),
        "queries": [(name, str(place)) for name, place in queries.lists],
        "board": queries.board,
        "depth": queries.depth,
        "called": called,
        "max_bytes": reader.max_bytes,
    }
    return reader.read(found_in, request, called=called, into=_found)


def found_in(
    path: str, queries: Sequence[Sequence[str]], board: str, depth: int, called: str, max_bytes: int
) -> dict[str, Any]:
    """The fields of a `FoundInFile`, found in this process."""
    with readable_run(Path(path), called=called, max_bytes=max_bytes) as readable:
        most = readable_bytes(readable.stat().st_size, max_bytes)
        # Every line is checked, whatever is kept.
        _, run = read_serps_and_top(readable, ListRequest(top=depth), max_bytes=most)
        metadata = read_header(readable)
    if run is None:  # pragma: no cover
        raise RuntimeError("nothing was kept of the run")
    open_queries: dict[str, None] = {}
    public: set[str] = set()
    for name, place in queries:
        try:
            ids = read_query_list(Path(place))
        except InputError:
            # Not the sender's fault.
            raise RuntimeError("a list of queries of the board cannot be read") from None
        open_queries.update(dict.fromkeys(ids))
        public.update(ids if name != DEVELOPMENT else ())
    present = len(open_queries.keys() & set(run.query_ids))
    problems = []
    if open_queries and not present:
        like = f"expected ids such as {next(iter(open_queries))!r}; check that this is the run for this board"
        problems.append(f"{called}: no query of this file is one of board {board!r}; {like}")
    lists = fingerprints(run, public or run.query_ids, depth=depth)
    return {
        "problems": problems,
        "queries": len(open_queries) or len(run.query_ids),
        "missing_queries": len(open_queries) - present if open_queries else 0,
        "lists": lists.tobytes(),
        "metadata": metadata,
    }


def _found(plain: Mapping[str, Any]) -> FoundInFile:
    lists = np.frombuffer(plain["lists"], dtype=FINGERPRINTS)
    if (lists["query"][1:] <= lists["query"][:-1]).any():
        raise ValueError("queries in another order, or twice")
    metadata = plain["metadata"]
    if not isinstance(metadata, dict) or len(json.dumps(metadata)) > MOST_METADATA:
        raise ValueError("metadata of another form, or too many")
    for name, text in flat_fields(metadata):
        check_characters("metadata", name + text)
    return FoundInFile(
        problems=tuple(str(problem) for problem in plain["problems"]),
        queries=int(plain["queries"]),
        missing_queries=int(plain["missing_queries"]),
        lists=lists,
        metadata=metadata,
    )
