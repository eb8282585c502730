"""A run: ranked documents for each query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.choices import DuplicateRule, TieRule
from runoff.phrases import counted
from runoff.tables.ids import Ids, Rows
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ALL, JudgedHits, ListRequest, RankedLists, compared_scores, tied_at
from runoff.tables.read_only import ReadOnlyArrays
from runoff.tables.serps import Serps


@dataclass(frozen=True, eq=False, kw_only=True)
class Run(ReadOnlyArrays):
    """A run in rank order.

    query_ids   the run's queries
    bounds      int64, queries + 1: the rows of query q are bounds[q] to bounds[q + 1], best first
    docs        the documents
    run_scores  float64, rows: the numbers in the run file; minus the rank where the file holds ranks
    duplicates  what became of documents that are listed twice for a query
    dropped     how many rows were dropped for that
    metadata    what its file says of it, as ir_metadata; empty if nothing
    """

    name: str
    query_ids: tuple[str, ...]
    bounds: Rows
    docs: Ids
    run_scores: NDArray[np.float64]
    tie_rule: TieRule
    duplicates: DuplicateRule = "error"
    dropped: int = 0
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_lists(cls, name: str, lists: RankedLists, request: ListRequest) -> Run:
        """The run made of the top of some lists: all of it, if all was wanted of them."""
        return cls(
            name=name,
            query_ids=lists.query_ids,
            bounds=lists.top_bounds,
            docs=lists.top_docs,
            run_scores=lists.top_scores,
            tie_rule=request.tie_rule,
            duplicates=request.duplicates,
            dropped=lists.dropped,
        )

    def __len__(self) -> int:
        return len(self.run_scores)

    def __repr__(self) -> str:
        documents, queries = counted(len(self), "document"), counted(len(self.query_ids), "query", "queries")
        return f"<Run {self.name}: {documents} for {queries}>"

    def __iter__(self) -> Iterator[tuple[str, str, float]]:
        """Its rows as (query_id, doc_id, run_score), in rank order."""
        query = np.repeat(np.arange(len(self.query_ids)), np.diff(self.bounds)).tolist()
        rows = zip(query, self.docs, self.run_scores.tolist(), strict=True)
        return ((self.query_ids[place], doc_id, score) for place, doc_id, score in rows)

    def top(self, depth: int) -> Run:
        """The run cut at a depth; it is a copy, so that the whole run need not be kept."""
        lengths = np.minimum(np.diff(self.bounds), depth)
        bounds = np.zeros(len(self.bounds), dtype=np.int64)
        np.cumsum(lengths, out=bounds[1:])
        rows = np.arange(int(bounds[-1])) + np.repeat(self.bounds[:-1] - bounds[:-1], lengths)
        return replace(self, bounds=bounds, docs=self.docs.take(rows), run_scores=self.run_scores[rows])

    @classmethod
    def joined(cls, runs: Sequence[Run]) -> Run:
        """Runs of different queries, one behind the other, as one; with the name and the tie rule of the first."""
        sizes = np.concatenate([np.diff(run.bounds) for run in runs])
        return replace(
            runs[0],
            query_ids=tuple(query_id for run in runs for query_id in run.query_ids),
            bounds=np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes)]),
            docs=Ids.joined([run.docs for run in runs]),
            run_scores=np.concatenate([run.run_scores for run in runs]),
            dropped=sum(run.dropped for run in runs),
        )

    def serps(self, qrels: Qrels, *, depth: int | None = None) -> Serps:
        """The grades that this run earns under some qrels, to a depth (None: the whole lists)."""
        request = ListRequest(labels=(qrels,), depth=depth, tie_rule=self.tie_rule, duplicates=self.duplicates)
        return self.lists(request).serps(0, request, run=self.name)

    def lists(self, request: ListRequest) -> RankedLists:
        """Its ranked lists with the judged documents in them."""
        lengths = np.diff(self.bounds)
        scores = compared_scores(self.run_scores, self.tie_rule)
        top = self if request.top == ALL else self.top(request.top)
        return RankedLists(
            query_ids=self.query_ids,
            lengths=lengths,
            depth_tied=tied_at(scores, self.bounds, request.depth or 0),
            hits=tuple(self._hits(qrels, lengths) for qrels in request.labels),
            top_docs=top.docs,
            top_scores=top.run_scores,
            top_bounds=top.bounds,
            dropped=self.dropped,
        )

    def _hits(self, qrels: Qrels, lengths: Rows) -> JudgedHits:
        places = np.array([qrels.query_places.get(query_id, -1) for query_id in self.query_ids], dtype=np.int64)
        rows = qrels.rows_of(np.repeat(places, lengths), self.docs)
        hits = np.flatnonzero(rows >= 0)
        lists = np.searchsorted(self.bounds, hits, side="right") - 1
        return JudgedHits(places=places, lists=lists, ranks=hits - self.bounds[lists], rows=rows[hits])
