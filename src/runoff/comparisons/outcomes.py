"""Outcomes of a comparison: which run finds more relevant documents, and which finds them sooner."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons._inputs import check_same_ground, relevant_ranks
from runoff.significance import PairedT, RankSum, Sign, SignedRank, SignificanceResult
from runoff.tables.read_only import ReadOnlyArrays
from runoff.tables.serps import Serps

OUTCOMES: Final = ("neither", "champion_only", "challenger_only", "both")
"""What can happen to the i-th relevant document of a query; every level of every query has exactly one of them."""


@dataclass(frozen=True, kw_only=True)
class FacetMeans:
    """The mean of one quantity for each run; NaN where there is no query to take it over.

    >>> FacetMeans(champion=0.1 + 0.2, challenger=0.3).difference, FacetMeans(champion=1.0, challenger=3.0).difference
    (0.0, 2.0)
    """

    champion: float
    challenger: float
    difference: float = field(init=False, repr=False)
    """Challenger minus champion: below 0 favours the challenger in ESL, above 0 in RR; rounding noise is 0."""

    def __post_init__(self) -> None:
        is_same = math.isclose(self.champion, self.challenger, rel_tol=1e-12)
        object.__setattr__(self, "difference", 0.0 if is_same else self.challenger - self.champion)


@dataclass(frozen=True, eq=False, kw_only=True)
class OutcomesResult(ReadOnlyArrays):
    """What each run finds of every query's relevant documents; rows of all arrays are queries.

    relevant          int64: the relevant documents in the labels; 0 where nobody can find any
    findable          int64: the most that a list can hold of them, the smaller of `relevant` and the cutoff
    champion_found    int64: how many the champion finds; challenger_found likewise
    champion_ranks    float64: the champion's mean rank over the first m relevant documents that each run finds, m the
                      smaller of their numbers; NaN where m = 0. challenger_ranks likewise, over the same m
    champion_rr       float64: the mean of one over these ranks; challenger_rr likewise
    champion_first    float64: the rank of the champion's first relevant document, also where the challenger finds none;
                      NaN where there is none. challenger_first likewise
    """

    champion: str
    challenger: str
    query_ids: Sequence[str]
    cutoff: int | None
    level: int
    relevant: NDArray[np.int64]
    findable: NDArray[np.int64]
    champion_found: NDArray[np.int64]
    challenger_found: NDArray[np.int64]
    champion_ranks: NDArray[np.float64]
    challenger_ranks: NDArray[np.float64]
    champion_rr: NDArray[np.float64]
    challenger_rr: NDArray[np.float64]
    champion_first: NDArray[np.float64]
    challenger_first: NDArray[np.float64]
    esl: FacetMeans = field(init=False)
    """The mean search length of each run over the levels that both reach, each query counting once; low is good."""
    rr: FacetMeans = field(init=False)
    """The mean of one over these ranks, likewise; high is good."""

    def __post_init__(self) -> None:
        super().__post_init__()
        both = self.in_both
        for name, *values in (
            ("esl", self.champion_ranks, self.challenger_ranks),
            ("rr", self.champion_rr, self.challenger_rr),
        ):
            first, second = (float(ranks[both].mean()) if both.any() else math.nan for ranks in values)
            object.__setattr__(self, name, FacetMeans(champion=first, challenger=second))

    @property
    def queries(self) -> int:
        """The number of queries."""
        return len(self.query_ids)

    @property
    def answerable(self) -> NDArray[np.bool_]:
        """Per query, whether the labels hold a relevant document; outcomes leave the others out."""
        mask: NDArray[np.bool_] = self.findable > 0
        return mask

    @property
    def unanswerable(self) -> int:
        """The queries without a relevant document in the labels, which nobody can answer."""
        return self.queries - int(np.count_nonzero(self.answerable))

    @property
    def several_relevant(self) -> int:
        """The queries with more than one relevant document in the labels."""
        return int(np.count_nonzero(self.relevant > 1))

    @property
    def is_single(self) -> bool:
        """Whether no more than one relevant document can be found of any query, so that levels are queries."""
        return not bool((self.findable > 1).any())

    @property
    def in_both(self) -> NDArray[np.bool_]:
        """Per query, whether both runs find a document, so that there is a level at which ranks can be compared."""
        mask: NDArray[np.bool_] = (self.champion_found > 0) & (self.challenger_found > 0)
        return mask

    @property
    def levels(self) -> NDArray[np.int64]:
        """Queries x OUTCOMES: how many levels of a query have each outcome; they add to `findable`."""
        both = np.minimum(self.champion_found, self.challenger_found)
        only = self.champion_found - both, self.challenger_found - both
        neither = self.findable - both - only[0] - only[1]
        return np.column_stack([neither, *only, both])

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many levels of all queries have each outcome; with one relevant document each, how many queries."""
        both = int(np.minimum(self.champion_found, self.challenger_found).sum())
        only = int(self.champion_found.sum()) - both, int(self.challenger_found.sum()) - both
        neither = int(self.findable.sum()) - both - sum(only)
        return dict(zip(OUTCOMES, (neither, *only, both), strict=True))

    @cached_property
    def shares(self) -> dict[str, float]:
        """Each outcome's share of the levels of a query, averaged over the answerable queries; 0 if there are none."""
        answerable = self.answerable
        shares = self.levels[answerable] / self.findable[answerable, None]
        means = shares.mean(axis=0) if len(shares) else np.zeros(len(OUTCOMES))
        return dict(zip(OUTCOMES, means.tolist(), strict=True))

    @property
    def neither(self) -> int:
        """Relevant documents that could be found and are found by neither run."""
        return self.counts["neither"]

    @property
    def champion_only(self) -> int:
        """Levels that only the champion reaches: how many more documents it finds, where it finds more."""
        return self.counts["champion_only"]

    @property
    def challenger_only(self) -> int:
        """Levels that only the challenger reaches."""
        return self.counts["challenger_only"]

    @property
    def both(self) -> int:
        """Levels that both runs reach."""
        return self.counts["both"]

    @cached_property
    def queries_more(self) -> tuple[int, int]:
        """On how many queries the champion finds more, and on how many the challenger does."""
        first, second = self.champion_found, self.challenger_found
        return int(np.count_nonzero(first > second)), int(np.count_nonzero(second > first))


def outcomes(champion: Serps, challenger: Serps, *, cutoff: int | None, level: int = 1) -> OutcomesResult:
    """What each run finds, level by level: the first relevant document, the second, and so on.

    A mean score adds up outcomes that cannot be weighed against each other: how much is not finding a document worse
    than finding it at rank 100? Kept apart, the levels that only one run reaches can be counted, and where both reach a
    level the ranks can be compared:

        run A finds n_A relevant documents, the i-th at rank a_i; B likewise; m = min(n_A, n_B)
        level i is both for i <= m, A only or B only up to max(n_A, n_B), neither up to min(R, k)
        search lengths: the mean over i <= m of a_i and of b_i

    With one relevant document per query this is Lin et al. 2021, https://doi.org/10.48550/arXiv.2102.12887; their
    ground, Cooper's expected search length, is defined for the i-th relevant document
    (Cooper 1968, https://doi.org/10.1002/asi.5090190108).

    cutoff  the last rank k that counts; None is the whole list
    level   the lowest grade that counts as relevant

    >>> from runoff.measures._example import serps_from
    >>> champion = serps_from("100000000", "000000001", "010000000", "000000000")
    >>> challenger = serps_from("000100000", "000001000", "000000000", "000000000")
    >>> result = outcomes(champion, challenger, cutoff=10)
    >>> result.counts
    {'neither': 1, 'champion_only': 1, 'challenger_only': 0, 'both': 2}
    >>> result.esl, round(result.rr.champion, 3), round(result.rr.challenger, 3)
    (FacetMeans(champion=5.0, challenger=5.0), 0.556, 0.208)

    Several relevant documents: the champion finds three of four, the challenger two, and those sooner.

    >>> result = outcomes(serps_from("0011001", relevant=4), serps_from("1010000", relevant=4), cutoff=10)
    >>> result.counts, result.esl
    ({'neither': 1, 'champion_only': 1, 'challenger_only': 0, 'both': 2}, FacetMeans(champion=3.5, challenger=2.0))
    """
    check_same_ground((champion, challenger))
    first, second = (relevant_ranks(serps, cutoff=cutoff, level=level) for serps in (champion, challenger))
    relevant = champion.relevant(level)
    most = relevant if cutoff is None else np.minimum(relevant, cutoff)
    shared = np.minimum(first.found, second.found)
    divisor = np.where(shared > 0, shared, np.nan)
    return OutcomesResult(
        champion=champion.run,
        challenger=challenger.run,
        query_ids=champion.query_ids,
        cutoff=cutoff,
        level=level,
        relevant=relevant,
        findable=np.maximum(most, np.maximum(first.found, second.found)),
        champion_found=first.found,
        challenger_found=second.found,
        champion_ranks=first.sum_of_first(shared) / divisor,
        challenger_ranks=second.sum_of_first(shared) / divisor,
        champion_rr=first.sum_of_first(shared, reciprocal=True) / divisor,
        challenger_rr=second.sum_of_first(shared, reciprocal=True) / divisor,
        champion_first=first.firsts,
        challenger_first=second.firsts,
    )


@dataclass(frozen=True, kw_only=True)
class FacetTests:
    """Both tests of one quantity over the queries of which both runs find a document."""

    signed_rank: SignificanceResult
    t: SignificanceResult


@dataclass(frozen=True, kw_only=True)
class NaiveTests:
    """A measure over all queries: a row of the paper's Table 1.

    difference   the challenger's mean minus the champion's
    """

    difference: float
    rank_sum: SignificanceResult
    signed_rank: SignificanceResult
    t: SignificanceResult


@dataclass(frozen=True, kw_only=True)
class OutcomeTestsResult:
    """What the significance tests say of each facet; p-values are two-sided and not corrected.

    more    the sign test of who finds more, over the queries that can be answered; its effect is the challenger's share
            of those that are not tied, above 1/2 where the challenger finds more. With one relevant document per query
            it is the binomial test of the paper's case (2)
    esl     tests of the mean search length over shared levels; **an effect below 0 favours the challenger**, which is
            then sooner
    rr      tests of the mean reciprocal rank over shared levels; an effect above 0 favours the challenger
    naive   tests of RR@k over all queries, not found counting 0; an effect above 0 favours the challenger (rank_sum:
            above 1/2); None if they were not requested

    esl and rr are None where both runs find a document of no query.
    """

    more: SignificanceResult
    esl: FacetTests | None
    rr: FacetTests | None
    naive: NaiveTests | None


def outcome_tests(outcomes: OutcomesResult, *, naive: bool = True) -> OutcomeTestsResult:
    """The significance tests of outcomes: who finds more, and who finds sooner.

    Values go into the tests as they are, champion first, so effects are challenger minus champion also for ESL, where
    less is better. With one relevant document per query these are the tests of the paper's Tables 1 and 2.

    naive  whether RR@k over all queries is tested, too; no verdict needs it

    Lin et al. 2021, https://doi.org/10.48550/arXiv.2102.12887

    >>> from runoff.comparisons import outcomes
    >>> from runoff.measures._example import serps_from
    >>> champion = serps_from("0100", "0010", "0001", "0001", "0000")
    >>> challenger = serps_from("1000", "1000", "0010", "1000", "1000")
    >>> result = outcome_tests(outcomes(champion, challenger, cutoff=4))
    >>> result.esl.t.effect, result.esl.signed_rank.p, result.more.p
    (-1.75, 0.125, 1.0)
    """
    both, answerable = outcomes.in_both, outcomes.answerable
    documents = (
        counts[answerable].astype(np.float64) for counts in (outcomes.champion_found, outcomes.challenger_found)
    )
    esl, rr = (
        FacetTests(signed_rank=SignedRank().compare(*values), t=PairedT().compare(*values)) if both.any() else None
        for values in (
            (outcomes.champion_ranks[both], outcomes.challenger_ranks[both]),
            (outcomes.champion_rr[both], outcomes.challenger_rr[both]),
        )
    )
    all_queries = None
    if naive:
        firsts = (outcomes.champion_first, outcomes.challenger_first)
        first, second = (np.nan_to_num(1.0 / ranks, nan=0.0) for ranks in firsts)
        all_queries = NaiveTests(
            difference=float(second.mean() - first.mean()),
            rank_sum=RankSum().compare(first, second),
            signed_rank=SignedRank().compare(first, second),
            t=PairedT().compare(first, second),
        )
    return OutcomeTestsResult(
        more=Sign().compare(*documents) if answerable.any() else Sign().compare([0.0], [0.0]),
        esl=esl,
        rr=rr,
        naive=all_queries,
    )
