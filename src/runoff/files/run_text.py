"""Runs from text: chunks are read in parallel, checked, and put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from runoff.errors import InputError
from runoff.files._run_format import RunFormat
from runoff.files.assembly import note_duplicates
from runoff.files.lines import map_in_order, skip_to_content
from runoff.files.msmarco_run import MSMARCO_RUN
from runoff.files.problems import Problems, quoted
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, read_chunks, source_name
from runoff.files.tokens import Tokens, tokenize
from runoff.files.trec_run import TREC_RUN
from runoff.tables.ids import Ids, Rows, Text, Words, hash_tokens, starts_of_blocks
from runoff.tables.qrels import pair_keys, pair_salts
from runoff.tables.ranking import RunRows

RUN_FORMATS: tuple[RunFormat, ...] = (TREC_RUN, MSMARCO_RUN)
"""The text formats for runs; the number of fields tells them apart."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ChunkRows:
    """The rows of one chunk of a run file; doc_starts and doc_lengths tell where in the chunk the document ids are."""

    tokens: Tokens
    block_starts: Rows
    block_ids: tuple[str, ...]
    scores: NDArray[np.float64]
    keys: Words
    doc_starts: Rows
    doc_lengths: Rows

    def keys_of(self, seed: int) -> Words:
        """The keys under another seed of the hashes."""
        salts = np.repeat(pair_salts(Ids.of(self.block_ids), seed=seed), self.block_lengths)
        return pair_keys(salts, hash_tokens(self.tokens.text, self.doc_starts, self.doc_lengths, seed=seed))

    @property
    def block_lengths(self) -> Rows:
        """How many rows each block has."""
        return np.diff(self.block_starts, append=len(self.scores))

    def docs_at(self, rows: Rows) -> Ids:
        """The documents of some rows, copied out of the chunk."""
        return Ids.cut(self.tokens.text, self.doc_starts[rows], self.doc_lengths[rows])


def open_run(source: Source, *, max_bytes: int) -> tuple[RunFormat, Iterator[Text]]:
    """The format of a run file, and its chunks."""
    name = source_name(source)
    chunks = read_chunks(source, max_bytes=max_bytes)
    fields, seen = skip_to_content(chunks, name, "a run with a ranked document on every line")
    return _format_of(fields, name), chain(seen, chunks)


def _format_of(fields: Sequence[bytes], name: str) -> RunFormat:
    for run_format in RUN_FORMATS:
        if run_format.fits(len(fields)):
            return run_format
    known = " or ".join(f"{len(one.fields)} ({one.name}: {' '.join(one.fields)})" for one in RUN_FORMATS)
    hint = "; this looks like a qrels file" if len(fields) == 4 else ""
    problem = (
        f"{name}: unknown run format: the first line has {len(fields)} field{'s' if len(fields) != 1 else ''}, it "
        f"begins {quoted(b' '.join(fields))}{hint}; expected {known}; check that this is a run file"
    )
    raise InputError([problem])


def chunk_rows(run_format: RunFormat, text: Text, *, seed: int = 0) -> ChunkRows:
    """The rows of a chunk, their faults noted in its tokens; `seed` is that of the hashes behind the keys."""
    tokens = tokenize(text, run_format.fields, open_end=run_format.open_end)
    scores, bad = run_format.score_of(tokens, run_format.score)
    tokens.problems.add_all(
        tokens.lines_of(bad).tolist(),
        lambda place: run_format.fault_of(tokens.token(int(bad[place]), run_format.score)),
    )
    query_starts, query_lengths = tokens.column(run_format.query)
    doc_starts, doc_lengths = tokens.column(run_format.doc)
    blocks = starts_of_blocks(tokens.text, query_starts, query_lengths)
    block_ids = Ids.cut(tokens.text, query_starts[blocks], query_lengths[blocks])
    salts = np.repeat(pair_salts(block_ids, seed=seed), np.diff(blocks, append=len(tokens)))
    return ChunkRows(
        tokens=tokens,
        block_starts=blocks,
        block_ids=tuple(block_ids),
        scores=scores,
        keys=pair_keys(salts, hash_tokens(tokens.text, doc_starts, doc_lengths, seed=seed)),
        doc_starts=doc_starts,
        doc_lengths=doc_lengths,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class _Part:
    """What is kept of a chunk when the whole run is wanted."""

    block_starts: Rows
    block_ids: tuple[str, ...]
    scores: NDArray[np.float64]
    keys: Words
    docs: Ids
    line_count: int
    lines: Rows | None
    problems: Problems


def _part(run_format: RunFormat, text: Text) -> _Part:
    rows = chunk_rows(run_format, text)
    return _Part(
        block_starts=rows.block_starts,
        block_ids=rows.block_ids,
        scores=rows.scores,
        keys=rows.keys,
        docs=rows.docs_at(np.arange(len(rows.scores))),
        line_count=rows.tokens.line_count,
        lines=rows.tokens.lines,
        problems=rows.tokens.problems,
    )


def read_run_rows(source: Source, *, max_bytes: int = DEFAULT_MAX_BYTES, threads: int | None = None) -> RunRows:
    """All rows of a run file; its faults, if it has any, are raised in one InputError."""
    run_format, chunks = open_run(source, max_bytes=max_bytes)
    parts = list(map_in_order(partial(_part, run_format), chunks, threads=threads))
    offsets = np.cumsum([0, *(len(part.scores) for part in parts)])
    query_ids, block_starts, block_query = joined_blocks(
        [part.block_starts for part in parts], [part.block_ids for part in parts], offsets
    )
    rows = RunRows(
        query_ids=query_ids,
        block_starts=block_starts,
        block_query=block_query,
        run_scores=np.concatenate([part.scores for part in parts]),
        docs=Ids.joined([part.docs for part in parts]),
    )
    problems = Problems(source_name(source))
    lines_before = 0
    for part in parts:
        problems.absorb(part.problems, lines_before)
        lines_before += part.line_count
    _add_duplicates(rows, parts, offsets, problems)
    problems.raise_if_any()
    return rows


def joined_blocks(
    starts: Sequence[Rows], ids: Sequence[Sequence[str]], offsets: Rows
) -> tuple[tuple[str, ...], Rows, Rows]:
    """The blocks of chunks put together: distinct query ids, first rows of the blocks, and the blocks' queries.

    A block that the end of a chunk cuts in two becomes one again.
    """
    places: dict[str, int] = {}
    query = np.array([places.setdefault(one, len(places)) for chunk in ids for one in chunk], dtype=np.int64)
    is_new = np.ones(len(query), dtype=np.bool_)
    is_new[1:] = query[1:] != query[:-1]
    return tuple(places), shifted(starts, offsets)[is_new], query[is_new]


def shifted(columns: Sequence[Rows], offsets: Rows) -> Rows:
    """The row numbers of several chunks as row numbers of the file, given the row at which each chunk begins."""
    return np.concatenate([column + offset for column, offset in zip(columns, offsets, strict=False)])


def _add_duplicates(rows: RunRows, parts: Sequence[_Part], offsets: Rows, problems: Problems) -> None:
    """Note every document that stands a second time under its query."""

    def pairs_at(some: Rows) -> list[tuple[str, str]]:
        query = rows.row_query[some].tolist()
        return [(rows.query_ids[place], doc) for place, doc in zip(query, rows.docs.take(some), strict=True)]

    keys = np.concatenate([part.keys for part in parts])
    note_duplicates(keys, problems, pairs_at=pairs_at, line_of=lambda row: _line_number(row, parts, offsets))


def _line_number(row: int, parts: Sequence[_Part], offsets: Rows) -> int:
    chunk = int(np.searchsorted(offsets, row, side="right")) - 1
    before = sum(part.line_count for part in parts[:chunk])
    inside = row - int(offsets[chunk])
    lines = parts[chunk].lines
    return before + (inside + 1 if lines is None else int(lines[inside]))
