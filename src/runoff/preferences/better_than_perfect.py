"""Better than perfect: whether a run's top document is preferred to the known relevant one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runoff.preferences.matching import UNJUDGED, outcomes_of
from runoff.preferences.pairs import PairCounts, count_pairs
from runoff.preferences.shares import PreferredShare
from runoff.preferences.tops import NOTHING, TopDocs
from runoff.tables.ids import Rows
from runoff.tables.preferences import Preferences
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run


@dataclass(frozen=True, kw_only=True)
class Category:
    """One kind of query.

    queries    how many there are
    unjudged   how many of them have a pair that nobody judged; missing: the run lacks the document to compare
    preferred  how often the run's top document is preferred: to its second document (A), to the qrel (B)
    """

    queries: int
    unjudged: int
    missing: int
    preferred: PreferredShare


@dataclass(frozen=True, kw_only=True)
class BetterThanPerfectResult:
    """Both kinds of queries of one run.

    agrees   category A: the top document is the first qrel, and is compared with the second document
    differs  category B: it is another one, and is compared with the first qrel; above 1/2 is better than perfect
    no_top   queries for which the run has no document at all
    """

    run: str
    agrees: Category
    differs: Category
    no_top: int


def better_than_perfect(table: Preferences, run: Run, qrels: Qrels) -> BetterThanPerfectResult:
    """How often assessors prefer the top document of a run, where it is the first qrel and where it is not.

    The queries are those of the qrels that have a relevant document; the first of them in the file is the qrel. Several
    judgments of one pair count by majority.

    Arabzadeh et al. 2021, section 3, https://arxiv.org/abs/2109.00062: of 1,868 queries in category A the top passage
    is preferred in 1,228 (65.7%), of 5,112 in category B in 2,996 (58.6%).
    """
    perfect = TopDocs.perfect(qrels)
    has_qrel = np.flatnonzero(perfect.places[0] != NOTHING)
    query_ids = tuple(qrels.query_ids[place] for place in has_qrel.tolist())
    ranks = [TopDocs.of_runs([run], query_ids, rank=rank) for rank in (1, 2)]
    named = [
        TopDocs(runs=(name,), query_ids=query_ids, docs=one.docs, places=one.places)
        for name, one in zip(("first", "second"), ranks, strict=True)
    ]
    tops = TopDocs.joined([*named, TopDocs.perfect(qrels, query_ids)])
    first, second, qrel = tops.places
    has_top = first != NOTHING
    counts = count_pairs(table)
    return BetterThanPerfectResult(
        run=run.name,
        agrees=_category(table, counts, tops, np.flatnonzero(has_top & (first == qrel)), second),
        differs=_category(table, counts, tops, np.flatnonzero(has_top & (first != qrel)), qrel),
        no_top=int((~has_top).sum()),
    )


def _category(table: Preferences, counts: PairCounts, tops: TopDocs, queries: Rows, other: Rows) -> Category:
    there = queries[other[queries] != NOTHING]
    compared = (there, tops.places[0][there], other[there])
    outcome = outcomes_of(table, counts, tops.query_ids, tops.docs, compared)
    wins, losses, even, unjudged = (int((outcome == value).sum()) for value in (1, -1, 0, UNJUDGED))
    return Category(
        queries=len(queries),
        unjudged=unjudged,
        missing=len(queries) - len(there),
        preferred=PreferredShare.of(wins, losses, even),
    )
