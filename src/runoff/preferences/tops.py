"""Top documents: what several runs show first, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.tables.ids import Ids, Rows, intern_ids
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run

NOTHING: Final = -1
PERFECT: Final = "perfect ranking"


@dataclass(frozen=True, eq=False, kw_only=True)
class TopDocs:
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
        self.places.setflags(write=False)

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
        found = [_at_rank(run, query_ids, rank) for run in runs]
        docs, codes = intern_ids([ids for ids, _ in found])
        places = np.full((len(runs), len(query_ids)), NOTHING, dtype=np.int64)
        for row, (columns, code) in enumerate(zip((columns for _, columns in found), codes, strict=True)):
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
        places_of = [qrels.query_places.get(one, len(row_of)) for one in wanted]
        rows = np.append(row_of, -1)[np.array(places_of, dtype=np.int64)]
        there = np.flatnonzero(rows >= 0)
        docs, (codes,) = intern_ids([qrels.docs.take(rows[there])])
        places = np.full((1, len(wanted)), NOTHING, dtype=np.int64)
        places[0, there] = codes
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
    found: list[dict[str, list[str]]] = [{} for _ in runs]
    for rank in range(1, depth + 1) if runs else ():
        tops = TopDocs.of_runs(runs, query_ids, rank=rank)
        docs = list(tops.docs)
        for own, row in zip(found, tops.places.tolist(), strict=True):
            for query_id, place in zip(query_ids, row, strict=True):
                if place != NOTHING:
                    own.setdefault(query_id, []).append(docs[place])
    return found
