"""Runs read for their grades alone: only what a sieve lets through is kept, from files that are in rank order.

Most run files are: queries in blocks, scores descending. Then a place in the file is a rank, and a chunk of four
megabytes shrinks to its few judged documents, its ties and its query ids as soon as it is read. A file that is not in
order, or has any fault, is left to the reader of whole runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from runoff.files._run_format import RunFormat
from runoff.files.assembly import has_equal_keys
from runoff.files.lines import map_in_order
from runoff.files.run_text import ChunkRows, chunk_rows, joined_blocks, open_run, shifted
from runoff.files.streams import Source
from runoff.tables.ids import Ids, Rows, Text, Words
from runoff.tables.qrels import Sieve
from runoff.tables.ranking import TieRule, compared_scores, is_descending_within, tie_order, tied_places, ties_within
from runoff.tables.run import Hits, Run


class WholeRunNeededError(Exception):
    """The file is not in rank order or has faults; never leaves the package."""


@dataclass(frozen=True, eq=False, kw_only=True)
class _Digest:
    """What is kept of a chunk.

    tied       rows that have the score of the row before them, in the same query
    passing    for each sieve, the rows that pass it, and their keys
    kept       rows whose documents are in `docs`: those that pass a sieve, those that a tie may move, and those at the
               top of a block
    scores     the scores of `kept`, as they are in the file; empty where no top is wanted
    edge_keys  the keys of the first and the last block, which may go on in the neighbouring chunks
    """

    size: int
    block_starts: Rows
    block_ids: tuple[str, ...]
    first_score: np.floating
    last_score: np.floating
    tied: Rows
    passing: tuple[tuple[Rows, Words], ...]
    kept: Rows
    docs: Ids
    scores: NDArray[np.float64]
    edge_keys: Words


def read_hits(
    source: Source, sieve: Sieve, *, name: str, tie_rule: TieRule, max_bytes: int, threads: int | None = None
) -> Hits:
    """What the sieve lets through of a run file; WholeRunNeededError if the file must be read whole."""
    (hits,), _ = read_hits_and_top(
        source, [sieve], top=0, name=name, tie_rule=tie_rule, max_bytes=max_bytes, threads=threads
    )
    return hits


def read_hits_and_top(
    source: Source,
    sieves: Sequence[Sieve],
    *,
    top: int,
    name: str,
    tie_rule: TieRule,
    max_bytes: int,
    threads: int | None = None,
) -> tuple[tuple[Hits, ...], Run]:
    """What each sieve lets through of a run file, and the run cut at rank `top`; WholeRunNeededError as above."""
    run_format, chunks = open_run(source, max_bytes=max_bytes)
    digest_of = partial(_digest, run_format, sieves, tie_rule, top)
    digests = [one for one in map_in_order(digest_of, chunks, threads=threads) if one]
    offsets = np.cumsum([0, *(digest.size for digest in digests)])
    query_ids, starts, block_query = joined_blocks(
        [digest.block_starts for digest in digests], [digest.block_ids for digest in digests], offsets
    )
    if len(block_query) > len(query_ids) or has_equal_keys(np.concatenate([digest.edge_keys for digest in digests])):
        raise WholeRunNeededError
    tied = np.union1d(shifted([digest.tied for digest in digests], offsets), _ties_between(digests, offsets))
    kept = shifted([digest.kept for digest in digests], offsets)
    docs = Ids.joined([digest.docs for digest in digests])
    bounds = np.append(starts, offsets[-1])
    moved = _mover(tied, kept, docs, tie_rule)
    hits = []
    for number in range(len(sieves)):
        passing = shifted([digest.passing[number][0] for digest in digests], offsets)
        hits.append(
            Hits(
                run=name,
                query_ids=query_ids,
                bounds=bounds,
                tied=tied,
                places=moved(passing),
                keys=np.concatenate([digest.passing[number][1] for digest in digests]),
                docs=docs.take(np.searchsorted(kept, passing)),
                tie_rule=tie_rule,
            )
        )
    scores = np.concatenate([digest.scores for digest in digests])
    return tuple(hits), _top(name, query_ids, bounds, (moved(kept), docs, scores), top, tie_rule)


def _top(
    name: str,
    query_ids: tuple[str, ...],
    bounds: Rows,
    found: tuple[Rows, Ids, NDArray[np.float64]],
    top: int,
    tie_rule: TieRule,
) -> Run:
    """The run cut at a rank, from the places, documents and scores of the kept rows."""
    places, docs, scores = found
    lengths = np.minimum(np.diff(bounds), top)
    cut = np.zeros(len(bounds), dtype=np.int64)
    np.cumsum(lengths, out=cut[1:])
    inside = np.flatnonzero(places - bounds[np.searchsorted(bounds, places, side="right") - 1] < top)
    rows = inside[np.argsort(places[inside])]
    return Run(
        name=name,
        query_ids=query_ids,
        bounds=cut,
        docs=docs.take(rows),
        run_scores=scores[rows] if top else np.zeros(0),
        tie_rule=tie_rule,
    )


def _digest(run_format: RunFormat, sieves: Sequence[Sieve], tie_rule: TieRule, top: int, text: Text) -> _Digest | None:
    """The digest of a chunk; None if it has no rows."""
    rows = chunk_rows(run_format, text, seed=sieves[0].seed)
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
    passing = tuple(_passing(rows, sieve, sieves[0].seed) for sieve in sieves)
    wanted = np.zeros(size, dtype=np.bool_)
    wanted[np.concatenate([*(found for found, _ in passing), tied, tied - 1, [0, size - 1]])] = True
    for rank in range(top):  # a block that goes on from the chunk before is kept further than needed
        wanted[(rows.block_starts + rank)[rows.block_starts + rank < bounds[1:]]] = True
    kept = np.flatnonzero(wanted)
    return _Digest(
        size=size,
        block_starts=rows.block_starts,
        block_ids=rows.block_ids,
        first_score=scores[0],
        last_score=scores[-1],
        tied=tied,
        passing=passing,
        kept=kept,
        docs=rows.docs_at(kept),
        scores=rows.scores[kept] if top else np.zeros(0),
        edge_keys=_edge_keys(rows),
    )


def _passing(rows: ChunkRows, sieve: Sieve, seed: int) -> tuple[Rows, Words]:
    """The rows of a chunk that pass a sieve, and their keys; the rows have keys of the first sieve's seed."""
    keys = rows.keys if sieve.seed == seed else rows.keys_of(sieve.seed)
    passing = sieve.passing(keys)
    return passing, keys[passing]


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


def _mover(tied: Rows, kept: Rows, docs: Ids, tie_rule: TieRule) -> Callable[[Rows], Rows]:
    """Tells where some of the kept rows are once ties are broken by document id, descending."""
    places = tied_places(tied)
    sorting = None if tie_rule == "file" else tie_order(docs.take(np.searchsorted(kept, places)), places, tied)
    if sorting is None:
        return lambda rows: rows
    new_place = np.empty_like(places)
    new_place[sorting] = places

    def moved(rows: Rows) -> Rows:
        found = np.minimum(np.searchsorted(places, rows), len(places) - 1)
        return np.where(places[found] == rows, new_place[found], rows)

    return moved
