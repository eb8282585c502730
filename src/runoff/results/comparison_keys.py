"""The JSON of a comparison, part by part; the keys are promises."""

from __future__ import annotations

from runoff.comparisons import BreakEvenResult, IpsoResult, OutcomesResult, OutcomeTestsResult

Keys = dict[str, object]


def outcome_keys(found: OutcomesResult, tests: OutcomeTestsResult) -> Keys:
    """What each run finds, who finds more, who finds sooner, and the tests of that."""
    return {
        **found.counts,
        "shares": found.shares,
        "queries_more": dict(zip(("champion", "challenger"), found.queries_more, strict=True)),
        "unanswerable": found.unanswerable,
        "several_relevant": found.several_relevant,
        "binomial_p": tests.more.p,
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


def break_even_keys(found: BreakEvenResult | None) -> list[Keys]:
    """The numbers of results at which the better run changes."""
    changes = () if found is None else found.changes
    return [{"results": change.results, "ci95": list(change.ci95)} for change in changes]


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
        "sign_p_ends": [
            {"champion": end.first, "challenger": end.second, "p": end.p, "favours": end.favours}
            for end in found.sign_p_ends
        ],
        "highest_sign_p": found.highest_sign_p,
        "unanswerable": found.unanswerable,
    }
