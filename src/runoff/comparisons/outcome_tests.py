"""The p-values that belong to outcomes: of the *only* cases, of *both*, and of the naive comparison beside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons.outcomes import OutcomesResult
from runoff.significance import PairedT, RankSum, Sign, SignedRank, SignificanceResult


@dataclass(frozen=True, kw_only=True)
class FacetTests:
    """Both tests of one quantity over the queries of *both*."""

    signed_rank: SignificanceResult
    t: SignificanceResult


@dataclass(frozen=True, kw_only=True)
class NaiveTests:
    """RR@k over all queries, not found counting 0: a row of the paper's Table 1.

    difference   the challenger's mean RR@k minus the champion's
    """

    difference: float
    rank_sum: SignificanceResult
    signed_rank: SignificanceResult
    t: SignificanceResult


@dataclass(frozen=True, kw_only=True)
class OutcomeTestsResult:
    """What the significance tests say of each facet; p-values are two-sided and not corrected.

    only    the binomial test of challenger only against champion only; its effect is the challenger's share of them,
            above 1/2 where the challenger answers more queries
    esl     tests of ESL in *both*; **an effect below 0 favours the challenger**, which is then earlier
    rr      tests of RR in *both*; an effect above 0 favours the challenger
    naive   tests of RR@k over all queries; an effect above 0 favours the challenger (rank_sum: above 1/2)

    esl and rr are None where no query is in *both*.
    """

    only: SignificanceResult
    esl: FacetTests | None
    rr: FacetTests | None
    naive: NaiveTests

    @property
    def binomial_p(self) -> float:
        """The p of the *only* cases."""
        return self.only.p


def outcome_tests(outcomes: OutcomesResult) -> OutcomeTestsResult:
    """The significance tests of the paper's Tables 1 and 2, and the binomial test that it proposes.

    Values go into the tests as they are, champion first, so effects are challenger minus champion also for ESL, where
    less is better.

    Lin et al. 2021, https://doi.org/10.48550/arXiv.2102.12887

    >>> from runoff.comparisons import outcomes
    >>> from runoff.comparisons._example import serps_from
    >>> champion = serps_from("0100", "0010", "0001", "0001", "0000")
    >>> challenger = serps_from("1000", "1000", "0010", "1000", "1000")
    >>> result = outcome_tests(outcomes(champion, challenger, cutoff=4))
    >>> result.esl.t.effect, result.esl.signed_rank.p, result.binomial_p
    (-1.75, 0.125, 1.0)
    """
    both = outcomes.in_both
    ranks = outcomes.champion_ranks, outcomes.challenger_ranks
    found = [(~np.isnan(one)).astype(np.float64) for one in ranks]
    champion_rr, challenger_rr = (np.nan_to_num(1.0 / one, nan=0.0) for one in ranks)
    return OutcomeTestsResult(
        only=Sign().compare(*found),
        esl=_facet(ranks[0][both], ranks[1][both]),
        rr=_facet(champion_rr[both], challenger_rr[both]),
        naive=NaiveTests(
            difference=float(challenger_rr.mean() - champion_rr.mean()),
            rank_sum=RankSum().compare(champion_rr, challenger_rr),
            signed_rank=SignedRank().compare(champion_rr, challenger_rr),
            t=PairedT().compare(champion_rr, challenger_rr),
        ),
    )


def _facet(champion: NDArray[np.float64], challenger: NDArray[np.float64]) -> FacetTests | None:
    if not champion.size:
        return None
    return FacetTests(signed_rank=SignedRank().compare(champion, challenger), t=PairedT().compare(champion, challenger))
