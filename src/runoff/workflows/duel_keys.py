"""The JSON of a comparison, part by part; the keys are promises."""

from __future__ import annotations

from runoff.comparisons import IpsoResult, OutcomesResult, OutcomeTestsResult

Keys = dict[str, object]


def outcome_keys(found: OutcomesResult, tests: OutcomeTestsResult) -> Keys:
    """Which run answers which queries, how early, and the tests of that."""
    return {
        **found.counts,
        "shares": found.shares,
        "several_relevant": int(found.several_relevant.sum()),
        "binomial_p": tests.binomial_p,
        "esl": {
            "champion": found.esl.champion,
            "challenger": found.esl.challenger,
            "signed_rank_p": tests.esl.signed_rank.p if tests.esl else None,
            "t_p": tests.esl.t.p if tests.esl else None,
        },
        "rr": {
            "champion": found.rr.champion,
            "challenger": found.rr.challenger,
            "signed_rank_p": tests.rr.signed_rank.p if tests.rr else None,
            "t_p": tests.rr.t.p if tests.rr else None,
        },
        "naive": {
            "difference": tests.naive.difference,
            "rank_sum_p": tests.naive.rank_sum.p,
            "signed_rank_p": tests.naive.signed_rank.p,
            "t_p": tests.naive.t.p,
        },
    }


def ipso_keys(found: IpsoResult) -> Keys:
    """The vote of the queries on which every measure must agree."""
    last = found.at_depth
    return {
        "equal": last.equal,
        "champion_favoured": last.ni,
        "challenger_favoured": last.ns,
        "nonseparable": last.nonseparable,
        "sign_p": last.sign_p,
        "sign_p_range": list(found.sign_p_range),
        "highest_sign_p": found.highest_sign_p,
    }
