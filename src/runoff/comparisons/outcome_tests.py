"""The p-values of outcomes: who finds more, who finds sooner, and the naive comparison of RR beside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons.outcomes import OutcomesResult
from runoff.significance import PairedT, RankSum, Sign, SignedRank, SignificanceResult


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
            above 1/2)

    esl and rr are None where both runs find a document of no query.
    """

    more: SignificanceResult
    esl: FacetTests | None
    rr: FacetTests | None
    naive: NaiveTests


def outcome_tests(outcomes: OutcomesResult) -> OutcomeTestsResult:
    """The significance tests of outcomes: who finds more, and who finds sooner.

    Values go into the tests as they are, champion first, so effects are challenger minus champion also for ESL, where
    less is better. With one relevant document per query these are the tests of the paper's Tables 1 and 2.

    Lin et al. 2021, https://doi.org/10.48550/arXiv.2102.12887

    >>> from runoff.comparisons import outcomes
    >>> from runoff.comparisons._example import serps_from
    >>> champion = serps_from("0100", "0010", "0001", "0001", "0000")
    >>> challenger = serps_from("1000", "1000", "0010", "1000", "1000")
    >>> result = outcome_tests(outcomes(champion, challenger, cutoff=4))
    >>> result.esl.t.effect, result.esl.signed_rank.p, result.more.p
    (-1.75, 0.125, 1.0)
    """
    both, kept = outcomes.in_both, outcomes.answerable
    found = (one[kept].astype(np.float64) for one in (outcomes.champion_found, outcomes.challenger_found))
    firsts = (outcomes.champion_first, outcomes.challenger_first)
    return OutcomeTestsResult(
        more=Sign().compare(*found) if kept.any() else Sign().compare([0.0], [0.0]),
        esl=_facet(outcomes.champion_ranks[both], outcomes.challenger_ranks[both]),
        rr=_facet(outcomes.champion_rr[both], outcomes.challenger_rr[both]),
        naive=naive_tests(*(np.nan_to_num(1.0 / one, nan=0.0) for one in firsts)),
    )


def naive_tests(champion: NDArray[np.float64], challenger: NDArray[np.float64]) -> NaiveTests:
    """The tests of a measure over all queries; both arrays hold a score per query."""
    return NaiveTests(
        difference=float(challenger.mean() - champion.mean()),
        rank_sum=RankSum().compare(champion, challenger),
        signed_rank=SignedRank().compare(champion, challenger),
        t=PairedT().compare(champion, challenger),
    )


def _facet(champion: NDArray[np.float64], challenger: NDArray[np.float64]) -> FacetTests | None:
    if not champion.size:
        return None
    return FacetTests(signed_rank=SignedRank().compare(champion, challenger), t=PairedT().compare(champion, challenger))
