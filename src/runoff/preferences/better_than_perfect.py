"""Better than perfect: whether a run's top document is preferred to the known relevant one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from runoff.preferences.pairs import UNJUDGED, PairCounts, PreferredShare, count_pairs, outcomes_of
from runoff.preferences.pools import NOTHING, TopDocs
from runoff.preferences.win_ratios import JudgeError, implied_error
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

    agrees   category A: the top document is the label, and is compared with the second document
    differs  category B: it is another one, and is compared with the label; above 1/2 is better than perfect
    no_top   queries for which the run has no document at all
    judge_error  how often judges err if the label is the better one of each pair of category A
    """

    run: str
    agrees: Category
    differs: Category
    no_top: int
    judge_error: JudgeError


def better_than_perfect(table: Preferences, run: Run, qrels: Qrels) -> BetterThanPerfectResult:
    """How often assessors prefer the top document of a run, where it is the first qrel and where it is not.

    The queries are those of the qrels that have a relevant document; the first of them in the file is the qrel. Several
    judgments of one pair count by majority.

    Arabzadeh et al. 2021, section 3, https://arxiv.org/abs/2109.00062: of 1,868 queries in category A the top passage
    is preferred in 1,228 (65.7%), of 5,112 in category B in 2,996 (58.6%).
    """
    split = split_queries(run, qrels)
    counts = count_pairs(table)
    agrees = _category(table, counts, split, split.agrees)
    return BetterThanPerfectResult(
        run=run.name,
        agrees=agrees,
        differs=_category(table, counts, split, split.differs),
        no_top=split.no_top,
        judge_error=implied_error(agrees.preferred),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Split:
    """The queries of some qrels by what a run has first, and the one pair of documents that is asked for in each.

    tops     what the run has first and second, and the label of each query
    agrees   int64: the queries whose first document is the label, as places in tops.query_ids; differs: the others
    no_top   queries for which the run has no document at all
    """

    tops: TopDocs
    agrees: Rows
    differs: Rows
    no_top: int

    def other(self, queries: Rows) -> Rows:
        """What the first document is compared with: the second one in category A, the label in B; NOTHING for none."""
        first, second, label = self.tops.places
        other: Rows = np.where(first == label, second, label)[queries]
        return other

    def pairs(self) -> tuple[tuple[str, str, str], ...]:
        """(query, first document, what it is compared with) of every query that has both, in the order of the qrels."""
        docs, queries = list(self.tops.docs), np.sort(np.concatenate([self.agrees, self.differs]))
        return tuple(
            (self.tops.query_ids[query], docs[first], docs[second])
            for query, first, second in zip(
                queries.tolist(), self.tops.places[0][queries].tolist(), self.other(queries).tolist(), strict=True
            )
            if second != NOTHING
        )


def split_queries(run: Run, qrels: Qrels) -> Split:
    r"""Categories A and B of a run: one pair per query.

    The queries are those of the qrels that have a relevant document; the first of them in the file is the label.

    Arabzadeh et al. 2021, section 3.1 and Table 1, https://arxiv.org/abs/2109.00062

    >>> from runoff.files import read_qrels, read_run
    >>> run = read_run(b"q Q0 a 1 2 t\nq Q0 b 2 1 t\nr Q0 c 1 2 t\n", name="run")
    >>> split_queries(run, read_qrels(b"q 0 a 1\nr 0 d 1\n")).pairs()
    (('q', 'a', 'b'), ('r', 'c', 'd'))
    """
    perfect = TopDocs.perfect(qrels)
    has_label = np.flatnonzero(perfect.places[0] != NOTHING)
    query_ids = tuple(qrels.query_ids[place] for place in has_label.tolist())
    ranks = [replace(TopDocs.of_runs([run], query_ids, rank=rank), runs=(str(rank),)) for rank in (1, 2)]
    tops = TopDocs.joined([*ranks, TopDocs.perfect(qrels, query_ids)])
    first, _, label = tops.places
    has_top = first != NOTHING
    return Split(
        tops=tops,
        agrees=np.flatnonzero(has_top & (first == label)),
        differs=np.flatnonzero(has_top & (first != label)),
        no_top=int((~has_top).sum()),
    )


def _category(table: Preferences, counts: PairCounts, split: Split, queries: Rows) -> Category:
    tops, other = split.tops, split.other(queries)
    present, other = queries[other != NOTHING], other[other != NOTHING]
    compared = (present, tops.places[0][present], other)
    outcome = outcomes_of(table, counts, tops.query_ids, tops.docs, compared)
    wins, losses, even, unjudged = (int((outcome == value).sum()) for value in (1, -1, 0, UNJUDGED))
    return Category(
        queries=len(queries),
        unjudged=unjudged,
        missing=len(queries) - len(present),
        preferred=PreferredShare.of(wins, losses, even),
    )
