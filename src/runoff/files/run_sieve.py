"""Runs read for their grades alone: only what a sieve lets through is kept, from files that are in rank order.

Most run files are: queries in blocks, scores descending. Then a place in the file is a rank, and a chunk of four
megabytes shrinks to its few judged documents, its ties and its query ids as soon as it is read. A file that is not in
order, or has any fault, is left to the reader of whole runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from runoff.files._run_format import RunFormat
from runoff.files.assembly import has_equal_keys
from runoff.files.lines import map_in_order
from runoff.files.run_text import ChunkRows, chunk_rows, joined_blocks, open_run, shifted
from runoff.files.streams import Source
from runoff.tables.ids import Ids, Rows, Text, Words
from runoff.tables.qrels import Sieve
from runoff.tables.ranking import TieRule, compared_scores, is_descending_within, tie_order, tied_places, ties_within
from runoff.tables.run import Hits


class WholeRunNeededError(Exception):
    """The file is not in rank order or has faults; never leaves the package."""


@dataclass(frozen=True, eq=False, kw_only=True)
class _Digest:
    """What is kept of a chunk.

    tied       rows that have the score of the row before them, in the same query
    kept       rows whose documents are in `docs`: those that pass the sieve and those that a tie may move
    edge_keys  the keys of the first and the last block, which may go on in the neighbouring chunks
    """

    size: int
    block_starts: Rows
    block_ids: tuple[str, ...]
    first_score: np.floating
    last_score: np.floating
    tied: Rows
    passing: Rows
    keys: Words
    kept: Rows
    docs: Ids
    edge_keys: Words


def read_hits(
    source: Source, sieve: Sieve, *, name: str, tie_rule: TieRule, max_bytes: int, threads: int | None = None
) -> Hits:
    """What the sieve lets through of a run file; WholeRunNeededError if the file must be read whole."""
    run_format, chunks = open_run(source, max_bytes=max_bytes)
    digests = [
        one for one in map_in_order(partial(_digest, run_format, sieve, tie_rule), chunks, threads=threads) if one
    ]
    offsets = np.cumsum([0, *(digest.size for digest in digests)])
    query_ids, starts, block_query = joined_blocks(
        [digest.block_starts for digest in digests], [digest.block_ids for digest in digests], offsets
    )
    if len(block_query) > len(query_ids) or has_equal_keys(np.concatenate([digest.edge_keys for digest in digests])):
        raise WholeRunNeededError
    tied = np.union1d(shifted([digest.tied for digest in digests], offsets), _ties_between(digests, offsets))
    kept = shifted([digest.kept for digest in digests], offsets)
    docs = Ids.joined([digest.docs for digest in digests])
    passing = shifted([digest.passing for digest in digests], offsets)
    return Hits(
        run=name,
        query_ids=query_ids,
        bounds=np.append(starts, offsets[-1]),
        tied=tied,
        places=passing if tie_rule == "file" else _places(passing, tied, kept, docs),
        keys=np.concatenate([digest.keys for digest in digests]),
        docs=docs.take(np.searchsorted(kept, passing)),
        tie_rule=tie_rule,
    )


def _digest(run_format: RunFormat, sieve: Sieve, tie_rule: TieRule, text: Text) -> _Digest | None:
    """The digest of a chunk; None if it has no rows."""
    rows = chunk_rows(run_format, text, seed=sieve.seed)
    if rows.tokens.problems.total:
        raise WholeRunNeededError
    size = len(rows.scores)
    if not size:
        return None
    scores = compared_scores(rows.scores, tie_rule)
    bounds = np.append(rows.block_starts, size)
    if not is_descending_within(scores, bounds) or has_equal_keys(rows.keys):
        raise WholeRunNeededError
    tied = ties_within(scores, bounds)
    passing = sieve.passing(rows.keys)
    kept = np.union1d(passing, np.concatenate([tied_places(tied), [0, size - 1]]))
    return _Digest(
        size=size,
        block_starts=rows.block_starts,
        block_ids=rows.block_ids,
        first_score=scores[0],
        last_score=scores[-1],
        tied=tied,
        passing=passing,
        keys=rows.keys[passing],
        kept=kept,
        docs=rows.docs_at(kept),
        edge_keys=_edge_keys(rows),
    )


def _edge_keys(rows: ChunkRows) -> Words:
    if len(rows.block_starts) == 1:
        return rows.keys
    return np.concatenate([rows.keys[: rows.block_starts[1]], rows.keys[rows.block_starts[-1] :]])


def _ties_between(digests: Sequence[_Digest], offsets: Rows) -> Rows:
    """The chunks' first rows that have the score of the row before, in the same query; none may have a higher one."""
    tied = []
    for before, after, row in zip(digests, digests[1:], offsets[1:].tolist(), strict=False):
        if before.block_ids[-1] != after.block_ids[0]:
            continue
        if after.first_score > before.last_score:
            raise WholeRunNeededError
        if after.first_score == before.last_score:
            tied.append(row)
    return np.array(tied, dtype=np.int64)


def _places(rows: Rows, tied: Rows, kept: Rows, docs: Ids) -> Rows:
    """Where some rows are once ties are broken by document id, descending."""
    places = tied_places(tied)
    sorting = tie_order(docs.take(np.searchsorted(kept, places)), places, tied)
    if sorting is None:
        return rows
    new_place = np.empty_like(places)
    new_place[sorting] = places
    found = np.minimum(np.searchsorted(places, rows), len(places) - 1)
    return np.where(places[found] == rows, new_place[found], rows)
