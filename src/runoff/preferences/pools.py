"""Pools: the documents to judge for each query, taken from the tops of some runs and the first qrel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.phrases import counted
from runoff.tables.ids import Ids, Rows, intern_ids
from runoff.tables.qrels import Qrels
from runoff.tables.read_only import ReadOnlyArrays
from runoff.tables.run import Run

NOTHING: Final = -1
PERFECT: Final = "perfect ranking"


@dataclass(frozen=True, eq=False, kw_only=True)
class TopDocs(ReadOnlyArrays):
    """The document that each run has at one rank, for each query.

    runs       what the rows are called
    query_ids  the queries, in the order of the columns
    docs       the documents, each once
    places     int64, runs x queries: the document, as a place in docs, or NOTHING
    """

    runs: tuple[str, ...]
    query_ids: tuple[str, ...]
    docs: Ids
    places: NDArray[np.int64]

    def __post_init__(self) -> None:
        if self.places.shape != (len(self.runs), len(self.query_ids)):
            raise UsageError(
                f"top documents have shape {self.places.shape}; expected {len(self.runs)} runs x "
                f"{len(self.query_ids):,} queries"
            )
        twice = [run for run in self.runs if self.runs.count(run) > 1]
        if twice:
            raise UsageError(f"two runs are called {twice[0]!r}; expected every run once; rename one")
        super().__post_init__()

    @classmethod
    def of(cls, tops: Mapping[str, Mapping[str, str]], query_ids: Sequence[str]) -> TopDocs:
        """The table of some {run: {query: document}}.

        >>> TopDocs.of({"x": {"q1": "a"}, "y": {"q1": "b", "q2": "a"}}, ["q1", "q2"]).places.tolist()
        [[0, -1], [1, 0]]
        """
        places: dict[str, int] = {}
        table = [
            [places.setdefault(docs[query_id], len(places)) if query_id in docs else NOTHING for query_id in query_ids]
            for docs in tops.values()
        ]
        shape = (len(tops), len(query_ids))
        array = np.array(table, dtype=np.int64).reshape(shape)
        return cls(runs=tuple(tops), query_ids=tuple(query_ids), docs=Ids.of(places), places=array)

    @classmethod
    def of_runs(cls, runs: Sequence[Run], query_ids: Sequence[str], *, rank: int = 1) -> TopDocs:
        """The documents that some runs have at a rank."""
        tops = [_at_rank(run, query_ids, rank) for run in runs]
        docs, codes = intern_ids([ids for ids, _ in tops])
        places = np.full((len(runs), len(query_ids)), NOTHING, dtype=np.int64)
        for row, (columns, code) in enumerate(zip((columns for _, columns in tops), codes, strict=True)):
            places[row, columns] = code
        return cls(runs=tuple(run.name for run in runs), query_ids=tuple(query_ids), docs=docs, places=places)

    @classmethod
    def perfect(cls, qrels: Qrels, query_ids: Sequence[str] | None = None) -> TopDocs:
        """The perfect ranking: on top the first relevant document of the qrels, among those of the highest grade."""
        best = best_rows(qrels)
        firsts = best[np.flatnonzero(np.diff(qrels.row_query[best], prepend=-1))]
        row_of = np.full(len(qrels.query_ids), -1, dtype=np.int64)
        row_of[qrels.row_query[firsts]] = firsts
        wanted = qrels.query_ids if query_ids is None else tuple(query_ids)
        places_of = [qrels.query_places.get(query_id, len(row_of)) for query_id in wanted]
        rows = np.append(row_of, -1)[np.array(places_of, dtype=np.int64)]
        labelled = np.flatnonzero(rows >= 0)
        docs, (codes,) = intern_ids([qrels.docs.take(rows[labelled])])
        places = np.full((1, len(wanted)), NOTHING, dtype=np.int64)
        places[0, labelled] = codes
        return cls(runs=(PERFECT,), query_ids=wanted, docs=docs, places=places)

    @classmethod
    def joined(cls, tables: Sequence[TopDocs]) -> TopDocs:
        """The rows of several tables over the same queries."""
        if len({table.query_ids for table in tables}) != 1:
            raise UsageError("top documents are of different queries; expected the same queries in the same order")
        docs, codes = intern_ids([table.docs for table in tables])
        parts = [np.append(code, NOTHING)[table.places] for code, table in zip(codes, tables, strict=True)]
        return cls(
            runs=tuple(run for table in tables for run in table.runs),
            query_ids=tables[0].query_ids,
            docs=docs,
            places=np.concatenate(parts),
        )


def best_rows(qrels: Qrels) -> Rows:
    r"""The rows of the relevant documents that have the highest grade of their query, in the order of the file.

    >>> from runoff.files import read_qrels
    >>> best_rows(read_qrels(b"q 0 a 1\nq 0 b 2\nq 0 c 2\nr 0 d 0\nr 0 e 1\n")).tolist()
    [1, 2, 4]
    """
    highest = np.zeros(len(qrels.query_ids), dtype=qrels.relevance.dtype)
    np.maximum.at(highest, qrels.row_query, qrels.relevance)
    return np.flatnonzero((qrels.relevance > 0) & (qrels.relevance == highest[qrels.row_query]))


def _at_rank(run: Run, query_ids: Sequence[str], rank: int) -> tuple[Ids, Rows]:
    """The documents at a rank, and the columns of the queries that have one."""
    place_of = {query_id: place for place, query_id in enumerate(run.query_ids)}
    query = np.array([place_of.get(query_id, -1) for query_id in query_ids], dtype=np.int64)
    rows = run.bounds[:-1][query] + rank - 1
    columns = np.flatnonzero((query >= 0) & (rows < run.bounds[1:][query]))
    return run.docs.take(rows[columns]), columns


def tops_of(runs: Sequence[Run], query_ids: Sequence[str], *, depth: int = 1) -> list[dict[str, list[str]]]:
    """For each run the documents of the first ranks, by query; queries for which it has none are left out."""
    if depth < 1:
        raise UsageError(f"depth is {depth}; expected 1 or more")
    tops_by_run: list[dict[str, list[str]]] = [{} for _ in runs]
    for rank in range(1, depth + 1) if runs else ():
        tops = TopDocs.of_runs(runs, query_ids, rank=rank)
        docs = list(tops.docs)
        for own, row in zip(tops_by_run, tops.places.tolist(), strict=True):
            for query_id, place in zip(query_ids, row, strict=True):
                if place != NOTHING:
                    own.setdefault(query_id, []).append(docs[place])
    return tops_by_run


SEVERAL = -1
"""In `only_by`: more than one run, or a run and the qrels, brought the document."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Pools(ReadOnlyArrays):
    """The documents of each query that are to be compared.

    runs        the runs that were pooled, to this depth
    query_ids   the queries; the items of query q are bounds[q] to bounds[q + 1]
    docs        the documents, and item_doc: int64, items: a place in them
    item_query  int64, items: the query, as a place in query_ids; ascending
    only_by     int64, items: the run that alone brought the document, len(runs) for the qrels, else SEVERAL
    """

    runs: tuple[str, ...]
    depth: int
    query_ids: tuple[str, ...]
    docs: Ids
    item_query: Rows
    item_doc: Rows
    only_by: Rows

    def __repr__(self) -> str:
        documents, queries = counted(len(self.item_doc), "document"), counted(len(self.query_ids), "query", "queries")
        return f"<Pools of {counted(len(self.runs), 'run')}: {documents} for {queries}>"

    @cached_property
    def sizes(self) -> Rows:
        """int64, queries: documents in each pool."""
        return np.bincount(self.item_query, minlength=len(self.query_ids))

    @cached_property
    def bounds(self) -> Rows:
        """int64, queries + 1: where each query's items begin, and the end."""
        return np.concatenate([[0], np.cumsum(self.sizes)])

    @property
    def histogram(self) -> Rows:
        """int64: how many pools have 0, 1, 2, ... documents."""
        return np.bincount(self.sizes)

    @property
    def pair_count(self) -> int:
        """Pairs of documents of the same query, over all queries."""
        return int((self.sizes * (self.sizes - 1) // 2).sum())

    def pair_items(self) -> tuple[Rows, Rows]:
        """int64, pairs: the two items of every pair, query by query."""
        item = np.arange(len(self.item_doc))
        behind = self.bounds[1:][self.item_query] - item - 1
        first = np.repeat(item, behind)
        offset = np.arange(len(first)) - np.repeat(np.cumsum(behind) - behind, behind)
        return first, first + 1 + offset

    def pairs(self) -> list[tuple[str, str, str]]:
        """Every pair as (query, document, document)."""
        docs = list(self.docs)
        names = [docs[place] for place in self.item_doc.tolist()]
        queries = [self.query_ids[place] for place in self.item_query.tolist()]
        first, second = self.pair_items()
        return [(queries[a], names[a], names[b]) for a, b in zip(first.tolist(), second.tolist(), strict=True)]

    def only(self, query_ids: Sequence[str]) -> Pools:
        """The pools of some of the queries, in the order of this table."""
        wanted = set(query_ids)
        unknown = sorted(wanted - set(self.query_ids))
        if unknown:
            raise UsageError(
                f"{len(unknown):,} of {len(wanted):,} chosen queries have no pool, the first is '{unknown[0]}'; "
                "expected queries of the qrels; check the list"
            )
        keep = np.array([query_id in wanted for query_id in self.query_ids], dtype=np.bool_)
        items = np.flatnonzero(keep[self.item_query])
        return replace(
            self,
            query_ids=tuple(query_id for query_id in self.query_ids if query_id in wanted),
            item_query=(np.cumsum(keep) - 1)[self.item_query[items]],
            item_doc=self.item_doc[items],
            only_by=self.only_by[items],
        )


def make_pools(runs: Sequence[Run], qrels: Qrels, *, depth: int = 1, query_ids: Sequence[str] | None = None) -> Pools:
    r"""The pools of some runs: for each query their documents to a depth, and the first relevant one of the qrels.

    query_ids  the queries; those of the qrels if None

    Arabzadeh et al. 2021, section 4.1, https://arxiv.org/abs/2109.00062, with the top document of each run (depth 1).

    >>> from runoff.files import read_qrels, read_run
    >>> runs = [read_run(b"q Q0 a 1 2 t\nq Q0 b 2 1 t\n", name="x"), read_run(b"q Q0 c 1 2 t\n", name="y")]
    >>> pools = make_pools(runs, read_qrels(b"q 0 b 1\n"))
    >>> pools.pairs(), pools.histogram.tolist()
    ([('q', 'a', 'b'), ('q', 'a', 'c'), ('q', 'b', 'c')], [0, 0, 0, 1])
    """
    if depth < 1:
        raise UsageError(f"depth is {depth}; expected 1 or more")
    queries = qrels.query_ids if query_ids is None else tuple(query_ids)
    ranks = [TopDocs.of_runs(runs, queries, rank=rank) for rank in range(1, depth + 1)] if runs else []
    named = [replace(top, runs=tuple(f"{rank} {run}" for run in top.runs)) for rank, top in enumerate(ranks)]
    tops = TopDocs.joined([*named, TopDocs.perfect(qrels, queries)])
    width = max(len(tops.docs), 1)
    alphabetical = _alphabetical(tops.docs)
    row, query = np.nonzero(tops.places != NOTHING)
    source = np.where(row == len(tops.runs) - 1, len(runs), row % max(len(runs), 1))
    keys = query * width + alphabetical[tops.places[row, query]]
    order = np.lexsort((source, keys))
    keys, source = keys[order], source[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    lowest, highest = source[starts], source[np.append(starts[1:], len(keys)) - 1] if len(keys) else source
    return Pools(
        runs=tuple(run.name for run in runs),
        depth=depth,
        query_ids=queries,
        docs=tops.docs.take(np.argsort(alphabetical)),
        item_query=keys[starts] // width,
        item_doc=keys[starts] % width,
        only_by=np.where(lowest == highest, lowest, SEVERAL),
    )


def pools_of_pairs(pairs: Sequence[tuple[str, str, str]]) -> Pools:
    """The pools that some pairs (query, document, document) come from, as far as the pairs tell.

    >>> pools_of_pairs([("q", "b", "a"), ("q", "a", "c")]).sizes.tolist()
    [3]
    """
    query_ids = tuple(dict.fromkeys(pair[0] for pair in pairs))
    docs = sorted({doc for pair in pairs for doc in pair[1:]})
    query_of = {query_id: place for place, query_id in enumerate(query_ids)}
    doc_of = {doc: place for place, doc in enumerate(docs)}
    items = np.array(
        sorted({(query_of[pair[0]], doc_of[doc]) for pair in pairs for doc in pair[1:]}), dtype=np.int64
    ).reshape(-1, 2)
    return Pools(
        runs=(),
        depth=0,
        query_ids=query_ids,
        docs=Ids.of(docs),
        item_query=items[:, 0].copy(),
        item_doc=items[:, 1].copy(),
        only_by=np.full(len(items), SEVERAL),
    )


def _alphabetical(docs: Ids) -> Rows:
    """The place of every document in alphabetical order, so that pools do not depend on the order of the runs."""
    order = np.array(sorted(range(len(docs)), key=list(docs).__getitem__), dtype=np.int64)
    places = np.empty(len(docs), dtype=np.int64)
    places[order] = np.arange(len(docs))
    return places
