"""The tables and JSON keys of a comparison: means, tests, outcomes and IPSO; and the tables for a paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runoff.comparisons import BreakEvenResult, IpsoResult, OutcomesResult, OutcomeTestsResult
from runoff.display import Column, Grid
from runoff.display.rows import grid_at, keys_of
from runoff.phrases import p_text
from runoff.significance import BY_NAME
from runoff.verdicts import NO_PROMISE, PairEvidence, VerdictResult

Keys = dict[str, object]
_TESTS: Final = "signed_rank_p={0}.signed_rank.p t_p={0}.t.p"
_VOTE: Final = "‡ IPSO is also significant, in the same direction."


def means_grid(comparison: PairEvidence) -> Grid:
    """A row per facet: each run's value, the difference and its p-values."""
    rows: list[list[str | float | None]] = []
    by_name = {test.name: test for test in comparison.tests}
    rows.append([
        f"{comparison.measure}, {queries_of_tests(comparison)}", comparison.means.champion,
        comparison.means.challenger,
        comparison.means.difference, by_name["signed_rank"].p, by_name["t"].p,
    ])  # fmt: skip
    found, facets = comparison.outcomes, comparison.outcome_tests
    if found is not None and facets is not None:
        for name, means, both in (
            ("rank of what both find", found.esl, facets.esl),
            ("reciprocal rank of what both find", found.rr, facets.rr),
        ):
            rows.append([
                name, means.champion, means.challenger, means.difference,
                both.signed_rank.p if both else None, both.t.p if both else None,
            ])  # fmt: skip
    return Grid(
        title=f"Means of {comparison.challenger} against {comparison.champion} on {comparison.queries:,} queries",
        columns=[
            Column("what", "What"),
            Column("champion", comparison.champion, "number"),
            Column("challenger", comparison.challenger, "number"),
            Column("difference", "Δ", "number", signed=True, help="Challenger minus champion."),
            Column("signed_rank_p", "p (signed rank)", "p"),
            Column("t_p", "p (t test)", "p"),
        ],
        rows=rows,
    )


def queries_of_tests(comparison: PairEvidence) -> str:
    """The queries that the measure is defined for, as people say it."""
    used = comparison.tests[0].n
    return "all queries" if used == comparison.queries else "1 query" if used == 1 else f"{used:,} queries"


def grid_of_tests(comparison: PairEvidence) -> Grid:
    """A row per test of the measure; in brackets what its scale does not permit."""
    barred = [test for test in comparison.tests if comparison.permitted and not comparison.permitted[test.name]]
    scale = "" if comparison.chosen is None else comparison.chosen.scale
    brackets = f" (in brackets: need more than its {scale} scale)" if barred else ""
    return Grid(
        title=f"Tests of {comparison.measure} over {queries_of_tests(comparison)}{brackets}",
        columns=[
            Column("test", "Test"),
            Column("p", "p", "p"),
            Column("effect", "Effect", "number"),
            Column("low", "95% from", "number"),
            Column("high", "to", "number"),
            Column("effect_name", "Effect is the"),
        ],
        rows=[
            [
                f"({BY_NAME[test.name].label})" if test in barred else BY_NAME[test.name].label,
                test.p,
                test.effect,
                *test.effect_ci95,
                test.effect_name,
            ]
            for test in comparison.tests
        ],
    )


def ipso_grid(comparison: PairEvidence) -> Grid | None:
    """On how many queries every measure must agree; None where ranked lists are not known."""
    if comparison.ipso is None:
        return None
    return grid_at(
        [comparison.ipso],
        {
            "at_depth.ni": Column("champion_favoured", f"For {comparison.champion}", "count"),
            "at_depth.equal": Column("equal", "Equal", "count"),
            "at_depth.ns": Column("challenger_favoured", f"For {comparison.challenger}", "count"),
            "at_depth.nonseparable": Column("nonseparable", "Non-separable", "count"),
            "at_depth.sign_p": Column("sign_p", "p (sign)", "p"),
            "sign_p_range.0": Column(
                "low_p", "p from", "p", help="The lowest p if the non-separable queries voted too."
            ),
            "highest_sign_p": Column("high_p", "to", "p", help="The highest p if the non-separable queries voted too."),
        },
        title=f"IPSO: queries on which every measure must agree, to depth {comparison.ipso.depth}",
        notes=[_vote_ends(comparison.ipso)] if comparison.ipso.at_depth.nonseparable else [],
    )


def _vote_ends(found: IpsoResult) -> str:
    """The two votes if all non-separable queries went one way or the other."""
    ends = [
        f"{end.first:,} : {end.second:,} {f'for {end.favours}' if end.favours else 'for neither'} ({p_text(end.p)})"
        for end in found.sign_p_ends
    ]
    return f"If all non-separable queries voted for one run, the vote would be {ends[0]} or {ends[1]}."


def outcome_keys(found: OutcomesResult, tests: OutcomeTestsResult) -> Keys:
    """What each run finds, who finds more, who finds sooner, and the tests of that."""
    return {
        **found.counts,
        "shares": found.shares,
        "queries_more": dict(zip(("champion", "challenger"), found.queries_more, strict=True)),
        "unanswerable": found.unanswerable,
        "several_relevant": found.several_relevant,
        "binomial_p": tests.more.p,
        "esl": {**keys_of(found.esl, "champion challenger"), **keys_of(tests, _TESTS.format("esl"))},
        "rr": {**keys_of(found.rr, "champion challenger"), **keys_of(tests, _TESTS.format("rr"))},
        "naive": tests.naive
        and keys_of(tests.naive, "difference rank_sum_p=rank_sum.p signed_rank_p=signed_rank.p t_p=t.p"),
    }


def break_even_keys(found: BreakEvenResult | None) -> list[Keys]:
    """The numbers of results at which the better run changes."""
    changes = () if found is None else found.changes
    return [keys_of(change, "results ci95") for change in changes]


def ipso_keys(found: IpsoResult) -> Keys:
    """The vote of the queries on which every measure must agree."""
    return {
        **keys_of(found.at_depth, "equal champion_favoured=ni challenger_favoured=ns nonseparable sign_p"),
        **keys_of(found, "sign_p_range"),
        "sign_p_ends": [keys_of(end, "champion=first challenger=second p favours") for end in found.sign_p_ends],
        **keys_of(found, "highest_sign_p unanswerable"),
    }


def mark_notes(verdicts: Sequence[VerdictResult], measure: str) -> tuple[str, ...]:
    """What the marks of some verdicts mean, and what they do not promise; nothing where there are none."""
    marks = {mark for verdict in verdicts for mark in verdict.marks}
    if not marks:
        return ()
    test = f"† {measure} differs significantly ({verdicts[0].policy.measure_label})"
    if "‡" not in marks:
        return (f"{test}.",)
    return (
        f"{test}; {_VOTE}",
        NO_PROMISE,
    )


def paper_tables(comparisons: Sequence[PairEvidence], marks: Sequence[str]) -> tuple[Grid, ...]:
    """All tables that the comparisons have numbers for; `marks` are those of each verdict."""
    tables = [lin_table_1(comparisons)]
    tables += [lin_table_2(comparisons)] if any(comparison.outcomes is not None for comparison in comparisons) else []
    tables += (
        [protocol_table(comparisons, marks)] if any(comparison.ipso is not None for comparison in comparisons) else []
    )
    return tuple(tables)


def lin_table_1(comparisons: Sequence[PairEvidence]) -> Grid:
    """Lin et al.'s Table 1 of the chosen measure: difference and three tests; RR@k below it, if that is another."""
    rows: list[list[str | float | None]] = []
    for comparison in comparisons:
        names = comparison.champion, comparison.challenger
        tests = (comparison.p_of(name) for name in ("rank_sum", "signed_rank", "t"))
        rows.append([*names, comparison.measure, comparison.means.difference, *tests])
        if comparison.outcome_tests is not None and comparison.outcomes is not None and not _is_rr(comparison):
            naive, level = comparison.outcome_tests.naive, comparison.outcomes.level
            if naive is None:
                continue
            name = f"RR{'' if level == 1 else f'(rel={level})'}@{comparison.depth}"
            rows.append([*names, name, naive.difference, naive.rank_sum.p, naive.signed_rank.p, naive.t.p])
    return Grid(
        title=f"Significance tests{_ground(comparisons, depth=False)}",
        columns=[
            Column("champion", "A"),
            Column("challenger", "B"),
            Column("measure", "Measure"),
            Column("difference", "Δ", "number", signed=True),
            Column("rank_sum_p", "WRS p", "p", digits=6),
            Column("signed_rank_p", "WSR p", "p", digits=6),
            Column("t_p", "t-test p", "p", digits=6),
        ],
        rows=rows,
        notes=["A: champion; B: challenger; Δ: mean of B minus A; WRS: rank sum; WSR: signed rank; p-values are raw."],
    )


def lin_table_2(comparisons: Sequence[PairEvidence]) -> Grid:
    """Lin et al.'s Table 2: shares of the four cases, who finds more, and ESL and RR of what both find."""
    measures = {comparison.measure for comparison in comparisons}
    return grid_at(
        [comparison for comparison in comparisons if comparison.outcomes and comparison.outcome_tests],
        {
            "champion": Column("champion", "A"),
            "challenger": Column("challenger", "B"),
            "means.difference": Column("difference", "Δ", "number", signed=True),
            "outcomes.shares.neither": Column("neither", "(1) neither", "share", digits=0),
            "outcomes.shares.champion_only": Column("champion_only", "(2) A only", "share", digits=0),
            "outcomes.shares.challenger_only": Column("challenger_only", "(2) B only", "share", digits=0),
            "outcomes.shares.both": Column("both", "(3) both", "share", digits=0),
            "outcomes.queries_more.0": Column("champion_more", "A more", "count"),
            "outcomes.queries_more.1": Column("challenger_more", "B more", "count"),
            "outcome_tests.more.p": Column("binomial_p", "sign p", "p", digits=6),
            "outcomes.esl.champion": Column("champion_esl", "A ESL", "number", digits=2),
            "outcomes.esl.challenger": Column("challenger_esl", "B ESL", "number", digits=2),
            "outcome_tests.esl.signed_rank.p": Column("esl_signed_rank_p", "ESL WSR p", "p", digits=6),
            "outcome_tests.esl.t.p": Column("esl_t_p", "ESL t-test p", "p", digits=6),
            "outcomes.rr.champion": Column("champion_rr", "A RR", "number"),
            "outcomes.rr.challenger": Column("challenger_rr", "B RR", "number"),
            "outcome_tests.rr.signed_rank.p": Column("rr_signed_rank_p", "RR WSR p", "p", digits=6),
            "outcome_tests.rr.t.p": Column("rr_t_p", "RR t-test p", "p", digits=6),
        },
        title=f"Outcomes{_ground(comparisons)}",
        notes=[
            (
                "A: champion; B: challenger; WSR: signed rank; p-values are raw; Δ: mean "
                f"{measures.pop() if len(measures) == 1 else 'score'} of B minus A."
            ),
            (
                "(1) to (3): shares of the relevant documents that neither, one or both runs find, averaged over "
                "queries; more: on how many queries a run finds more, with the sign test; ESL and RR: mean rank and "
                "reciprocal rank of what both find."
            ),
        ],
    )


def protocol_table(comparisons: Sequence[PairEvidence], marks: Sequence[str]) -> Grid:
    """The protocol of Moffat & Mackenzie 2024, section 3.6: means, difference with its marks, the four relations."""
    rows = [
        {
            "pair": comparison,
            "last": comparison.ipso.at_depth if comparison.ipso is not None else None,
            "difference": f"{comparison.means.difference:+.4f}{mark}".replace("-", "\N{MINUS SIGN}"),
        }
        for comparison, mark in zip(comparisons, marks, strict=True)
    ]
    depths = {comparison.ipso.depth for comparison in comparisons if comparison.ipso is not None}
    where = f", IPSO to depth {depths.pop()}" if len(depths) == 1 else ""
    return grid_at(
        rows,
        {
            "pair.champion": Column("champion", "A"),
            "pair.challenger": Column("challenger", "B"),
            "pair.means.champion": Column("champion_mean", "Mean A", "number"),
            "pair.means.challenger": Column("challenger_mean", "Mean B", "number"),
            "difference": Column("difference", "B \N{MINUS SIGN} A"),
            "last.ns": Column("ns", "ns", "count"),
            "last.equal": Column("equal", "==", "count"),
            "last.ni": Column("ni", "ni", "count"),
            "last.nonseparable": Column("nonseparable", "**", "count"),
        },
        title=f"{' and '.join(dict.fromkeys(comparison.measure for comparison in comparisons))}{where}",
        notes=[
            (
                "† the measure's test is significant; ‡ the IPSO sign test is too, and points the same way. Queries: "
                "ni no measure can prefer B, ns none can prefer A, == the lists are equal, ** measures may differ."
            )
        ],
    )


def _is_rr(comparison: PairEvidence) -> bool:
    """Whether the chosen measure is RR at the depth and level of the outcomes."""
    measure, found = comparison.chosen, comparison.outcomes
    return (
        measure is not None
        and measure.name == "RR"
        and found is not None
        and (measure.cutoff, getattr(measure, "rel", 1)) == (found.cutoff, found.level)
    )


def _ground(comparisons: Sequence[PairEvidence], *, depth: bool = True) -> str:
    """The number of queries, and the depth of outcomes if asked for, where all comparisons have the same."""
    found = {
        (comparison.depth if depth and comparison.outcomes is not None else None, comparison.queries)
        for comparison in comparisons
    }
    if len(found) != 1:
        return ""
    ranks, queries = found.pop()
    return f"{'' if ranks is None else f' to rank {ranks}'} on {queries:,} queries"
