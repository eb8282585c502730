"""Ranked lists: what a run retrieved for each query, rules for ties and duplicates, and which documents are judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff.choices import DUPLICATE_RULES, TIE_RULES, DuplicateRule, TieRule
from runoff.errors import UsageError
from runoff.rows import Batch, Ranked, group
from runoff.tables.ids import Ids, Rows
from runoff.tables.qrels import Qrels
from runoff.tables.serps import NOTHING, UNJUDGED, Serps


def compared_scores(run_scores: NDArray[np.float64], tie_rule: TieRule) -> NDArray[np.floating]:
    """The scores as the tie rule compares them."""
    if tie_rule != "float32":
        return run_scores
    with np.errstate(over="ignore"):  # a score beyond float32 is infinite there too
        return run_scores.astype(np.float32)


def tied_at(scores: NDArray[np.floating], bounds: Rows, depth: int) -> NDArray[np.bool_]:
    """Per list, whether the scores at rank `depth` and the next rank are the same.

    scores  of all lists, one behind the other, in rank order
    bounds  int64, lists + 1: where each begins
    """
    tied = np.zeros(len(bounds) - 1, dtype=np.bool_)
    beyond = bounds[:-1] + depth
    longer = np.flatnonzero(beyond < bounds[1:]) if depth else np.zeros(0, dtype=np.int64)
    tied[longer] = scores[beyond[longer]] == scores[beyond[longer] - 1]
    return tied


ALL: Final = -1
"""As `top`: the whole lists."""
Repeated: TypeAlias = tuple[int, int, int, int, bytes, bytes]
"""A document that is listed again: its batch and line, batch and line of the first, query, document."""
Mapper: TypeAlias = Callable[[Callable[[tuple[int, int]], Ranked], Iterable[tuple[int, int]]], Iterable[Ranked]]
"""Such as `map`, on several threads."""
_RANGES: Final = 16
_FEW_ROWS: Final = 100_000


@dataclass(frozen=True, kw_only=True)
class ListRequest:
    """What is wanted of the lists of a run; a rule of an unknown name is a UsageError.

    labels      qrels; the judged documents of the lists are found for each of them
    depth       the depth of the SERPs; None for the whole lists
    top         how many documents of every list are kept, with their scores; ALL for all
    tie_rule    how equal scores are ordered
    duplicates  what becomes of a document that is listed twice for a query
    """

    labels: tuple[Qrels, ...] = ()
    depth: int | None = None
    top: int = 0
    tie_rule: TieRule = "trec_eval"
    duplicates: DuplicateRule = "error"

    def __post_init__(self) -> None:
        rules = (("tie rule", self.tie_rule, TIE_RULES), ("rule for duplicates", self.duplicates, DUPLICATE_RULES))
        for rule, name, names in rules:
            if name not in names:
                raise UsageError(f"{rule} '{name}' is unknown; expected one of {', '.join(names)}; choose one of these")
        for qrels in self.labels:
            qrels.table  # noqa: B018  # made once, here, and not by every thread


@dataclass(frozen=True, eq=False)
class JudgedHits:
    """The judged documents of some lists under one set of labels.

    places  int64, lists: where in the qrels each list's query is; -1 if it is not judged
    lists   int64, hits: the list, counted from 0
    ranks   int64, hits: the rank, from 0
    rows    int64, hits: the row of the judgment
    """

    places: Rows
    lists: Rows
    ranks: Rows
    rows: Rows


@dataclass(frozen=True, eq=False, kw_only=True)
class RankedLists:
    """The lists of a run, as far as they were wanted.

    query_ids   the run's queries, one per list
    lengths     int64, lists: how long they are
    depth_tied  bool, lists: see `Serps`
    hits        the judged documents under each set of labels
    top_docs    the documents at the top of all lists, one list behind the other
    top_scores  float64: their scores
    top_bounds  int64, lists + 1: where the top of each list begins
    dropped     how many duplicates were dropped
    repeated    the first documents that are listed twice, where that is an error; repeated_total counts all
    """

    query_ids: tuple[str, ...]
    lengths: Rows
    depth_tied: NDArray[np.bool_]
    hits: tuple[JudgedHits, ...]
    top_docs: Ids
    top_scores: NDArray[np.float64]
    top_bounds: Rows
    dropped: int = 0
    repeated: list[Repeated] = field(default_factory=list)
    repeated_total: int = 0

    def serps(self, number: int, request: ListRequest, *, run: str) -> Serps:
        """The grades that the lists earn under one of the sets of labels."""
        hits, qrels = self.hits[number], request.labels[number]
        judged = np.flatnonzero(hits.places >= 0)
        queries = len(qrels.query_ids)
        retrieved = np.zeros(queries, dtype=np.int64)
        retrieved[hits.places[judged]] = self.lengths[judged]
        depth_tied = np.zeros(queries, dtype=np.bool_)
        depth_tied[hits.places[judged]] = self.depth_tied[judged]
        kept_depth = int(retrieved.max(initial=0)) if request.depth is None else request.depth
        grades = np.full((queries, kept_depth), NOTHING, dtype=np.int8)
        grades[np.arange(kept_depth) < retrieved[:, None]] = UNJUDGED
        inside = np.flatnonzero(hits.ranks < kept_depth)
        grades[hits.places[hits.lists[inside]], hits.ranks[inside]] = np.maximum(qrels.relevance[hits.rows[inside]], 0)
        return Serps(
            run=run,
            query_ids=qrels.query_ids,
            grades=grades,
            retrieved=retrieved,
            judged=qrels.judged,
            depth_tied=depth_tied,
            tie_rule=request.tie_rule,
            extra_queries=len(hits.places) - len(judged),
            duplicates=request.duplicates,
            dropped=self.dropped,
            values=qrels.values,
        )

    @classmethod
    def joined(cls, parts: Sequence[RankedLists]) -> RankedLists:
        """The lists of several parts of a run, one behind the other; no query may be in two of them."""
        if len(parts) == 1:
            return parts[0]
        starts = np.cumsum([0, *(len(part.lengths) for part in parts)]).tolist()
        top_starts = np.cumsum([0, *(len(part.top_scores) for part in parts)]).tolist()
        hits = []
        for number in range(len(parts[0].hits)):
            all_hits = [part.hits[number] for part in parts]
            hits.append(
                JudgedHits(
                    places=np.concatenate([part_hits.places for part_hits in all_hits]),
                    lists=np.concatenate(
                        [part_hits.lists + start for part_hits, start in zip(all_hits, starts, strict=False)]
                    ),
                    ranks=np.concatenate([part_hits.ranks for part_hits in all_hits]),
                    rows=np.concatenate([part_hits.rows for part_hits in all_hits]),
                )
            )
        bounds = [part.top_bounds[:-1] + start for part, start in zip(parts, top_starts, strict=False)]
        return RankedLists(
            query_ids=tuple(query_id for part in parts for query_id in part.query_ids),
            lengths=np.concatenate([part.lengths for part in parts]),
            depth_tied=np.concatenate([part.depth_tied for part in parts]),
            hits=tuple(hits),
            top_docs=Ids.joined([part.top_docs for part in parts]),
            top_scores=np.concatenate([part.top_scores for part in parts]),
            top_bounds=np.concatenate([*bounds, top_starts[-1:]]).astype(np.int64),
            dropped=sum(part.dropped for part in parts),
            repeated=sorted(row for part in parts for row in part.repeated),
            repeated_total=sum(part.repeated_total for part in parts),
        )


def rank_batches(batches: Sequence[Batch], request: ListRequest, *, mapper: Mapper | None = None) -> RankedLists:
    """The ranked lists of the rows in some batches, as if they were one file.

    mapper  maps a function over ranges of queries, on several threads; without it all queries are one range
    """
    lists = group(batches)
    judged = tuple(qrels.table for qrels in request.labels)
    depth = ALL if request.depth is None else request.depth
    rules = list(TIE_RULES).index(request.tie_rule), list(DUPLICATE_RULES).index(request.duplicates)
    query_ids = tuple(Ids.packed(*lists.query_ids()))
    ranges = 1 if mapper is None or lists.rows < _FEW_ROWS else min(_RANGES, lists.queries)
    edges = np.linspace(0, lists.queries, ranges + 1).astype(np.int64).tolist()
    batch_lists = (mapper or map)(lambda some: lists.rank(*some, judged, depth, request.top, *rules), pairwise(edges))
    parts = []
    for ranked, (low, high) in zip(batch_lists, pairwise(edges), strict=True):
        lengths = np.frombuffer(ranked.lengths, dtype=np.int64)
        bounds = np.zeros(len(lengths) + 1, dtype=np.int64)
        np.cumsum(lengths if request.top == ALL else np.minimum(lengths, request.top), out=bounds[1:])
        part = RankedLists(
            query_ids=query_ids[low:high],
            lengths=lengths,
            depth_tied=np.frombuffer(ranked.tied, dtype=np.bool_),
            hits=tuple(JudgedHits(*(np.frombuffer(column, dtype=np.int64) for column in hits)) for hits in ranked.hits),
            top_docs=Ids.packed(ranked.docs_text, ranked.docs_bounds),
            top_scores=np.frombuffer(ranked.scores, dtype=np.float64),
            top_bounds=bounds,
            dropped=ranked.dropped,
            repeated=ranked.repeated,
            repeated_total=ranked.repeated_total,
        )
        parts.append(part)
    return RankedLists.joined(parts)
