"""A run: ranked documents for each query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from runoff.tables.ids import Ids, Rows, Words
from runoff.tables.qrels import Qrels, Sieve, pair_keys, pair_salts
from runoff.tables.ranking import RunRows, TieRule, compared_scores, rank_rows, tied_at, ties_within
from runoff.tables.serps import NOTHING, UNJUDGED, Serps


@dataclass(frozen=True, eq=False, kw_only=True)
class Run:
    """A run in rank order.

    query_ids   the run's queries
    bounds      int64, queries + 1: the rows of query q are bounds[q] to bounds[q + 1], best first
    docs        the documents
    run_scores  float64, rows: the numbers in the run file; minus the rank where the file holds ranks
    """

    name: str
    query_ids: tuple[str, ...]
    bounds: Rows
    docs: Ids
    run_scores: NDArray[np.float64]
    tie_rule: TieRule

    def __post_init__(self) -> None:
        self.bounds.setflags(write=False)
        self.run_scores.setflags(write=False)

    @classmethod
    def ranked(cls, name: str, rows: RunRows, tie_rule: TieRule) -> Run:
        """The run made of some rows."""
        ranking = rank_rows(rows, tie_rule)
        in_order = ranking.order is None
        return cls(
            name=name,
            query_ids=rows.query_ids,
            bounds=ranking.bounds,
            docs=rows.docs if in_order else rows.docs.take(ranking.order),  # type: ignore[arg-type]
            run_scores=rows.run_scores if in_order else rows.run_scores[ranking.order],
            tie_rule=tie_rule,
        )

    def __len__(self) -> int:
        return len(self.run_scores)

    def __repr__(self) -> str:
        return f"<Run {self.name}: {len(self):,} documents for {len(self.query_ids):,} queries>"

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
        )

    def serps(self, qrels: Qrels, *, depth: int | None = None) -> Serps:
        """The grades that this run earns under some qrels, to a depth (None: the whole lists)."""
        return self.hits(qrels.sieve).serps(qrels, depth=depth)

    def keys(self, seed: int) -> Words:
        """The keys of its pairs of query and document, in rank order, under a seed of the hashes."""
        salts = pair_salts(Ids.of(self.query_ids), seed=seed)
        query = np.repeat(np.arange(len(self.query_ids)), np.diff(self.bounds))
        return pair_keys(salts[query], self.docs.hashes(seed=seed))

    def hits(self, sieve: Sieve, keys: Words | None = None) -> Hits:
        """What a sieve lets through; `keys` are `self.keys(sieve.seed)` if they are known."""
        keys = self.keys(sieve.seed) if keys is None else keys
        places = sieve.passing(keys)
        return Hits(
            run=self.name,
            query_ids=self.query_ids,
            bounds=self.bounds,
            tied=ties_within(compared_scores(self.run_scores, self.tie_rule), self.bounds),
            places=places,
            keys=keys[places],
            docs=self.docs.take(places),
            tie_rule=self.tie_rule,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Hits:
    """What a run has to do with some qrels: the documents that the qrels' sieve lets through, and all lists' lengths.

    bounds  int64, queries + 1: the places of query q are bounds[q] to bounds[q + 1], best first
    tied    int64: the places that have the score of the place before
    places  int64, hits: where the hits are
    keys    uint64, hits: the keys of their pairs
    docs    the hits' documents
    """

    run: str
    query_ids: tuple[str, ...]
    bounds: Rows
    tied: Rows
    places: Rows
    keys: Words
    docs: Ids
    tie_rule: TieRule

    def serps(self, qrels: Qrels, *, depth: int | None = None) -> Serps:
        """The grades that the run earns under the qrels, to a depth (None: the whole lists)."""
        place_of = np.array([qrels.query_places.get(query_id, -1) for query_id in self.query_ids], dtype=np.int64)
        known = place_of >= 0
        retrieved = np.zeros(len(qrels.query_ids), dtype=np.int64)
        retrieved[place_of[known]] = np.diff(self.bounds)[known]
        kept_depth = int(retrieved.max(initial=0)) if depth is None else depth

        grades = np.full((len(qrels.query_ids), kept_depth), NOTHING, dtype=np.int8)
        grades[np.arange(kept_depth) < retrieved[:, None]] = UNJUDGED
        run_query = np.searchsorted(self.bounds, self.places, side="right") - 1
        ranks = self.places - self.bounds[run_query]
        judged, judged_grades = qrels.grades_of(place_of[run_query], self.keys, self.docs)
        inside = ranks[judged] < kept_depth
        grades[place_of[run_query[judged[inside]]], ranks[judged[inside]]] = judged_grades[inside]

        depth_tied = np.zeros(len(qrels.query_ids), dtype=np.bool_)
        depth_tied[place_of[known]] = tied_at(self.bounds, self.tied, kept_depth)[known]
        return Serps(
            run=self.run,
            query_ids=qrels.query_ids,
            grades=grades,
            retrieved=retrieved,
            judged=qrels.judged,
            depth_tied=depth_tied,
            tie_rule=self.tie_rule,
            extra_queries=int((~known).sum()),
        )
