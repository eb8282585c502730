"""The tables and JSON keys of a comparison: means, tests, outcomes and IPSO; and the tables for a paper."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from runoff.comparisons import FacetMeans, IpsoResult, OutcomesResult, OutcomeTestsResult
from runoff.comparisons.outcomes import FacetTests
from runoff.display import Column, Grid
from runoff.display.rows import column, grid_of, plain, row_class, row_dict, row_of
from runoff.phrases import p_text
from runoff.significance import BY_NAME
from runoff.verdicts import NO_PROMISE, PairEvidence, VerdictResult

Keys = dict[str, object]
_VOTE: Final = "‡ IPSO is also significant, in the same direction."


def means_grid(comparison: PairEvidence) -> Grid:
    """A row per facet: each run's value, the difference and its p-values."""
    rows: list[list[str | float | None]] = []
    p_of = {test.name: test.p for test in comparison.tests}
    rows.append([
        f"{comparison.measure}, {queries_of_tests(comparison)}", comparison.means.champion,
        comparison.means.challenger,
        comparison.means.difference, p_of.get("signed_rank"), p_of.get("t"),
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


@row_class
class IpsoRow:
    """The vote of the queries on which every measure must agree."""

    champion_favoured: int = column("For the champion", "count")
    equal: int = column("Equal", "count")
    challenger_favoured: int = column("For the challenger", "count")
    nonseparable: int = column("Non-separable", "count")
    sign_p: float = column("p (sign)", "p")
    sign_p_range: tuple[float, float] = column(
        "p from", "p", cell=itemgetter(0), help="The lowest p if the non-separable queries voted too."
    )
    sign_p_ends: list[Keys]
    highest_sign_p: float = column("to", "p", help="The highest p if the non-separable queries voted too.")
    unanswerable: int


def ipso_row(found: IpsoResult) -> IpsoRow:
    """The vote at the depth."""
    ends = [
        {"champion": end.first, "challenger": end.second, "p": end.p, "favours": end.favours}
        for end in found.sign_p_ends
    ]
    at_depth = found.at_depth
    votes = {"champion_favoured": at_depth.ni, "challenger_favoured": at_depth.ns, "sign_p_ends": ends}
    return row_of(IpsoRow, at_depth, found, **votes)


def ipso_grid(comparison: PairEvidence) -> Grid | None:
    """On how many queries every measure must agree; None where ranked lists are not known."""
    if comparison.ipso is None:
        return None
    return grid_of(
        IpsoRow,
        [ipso_row(comparison.ipso)],
        title=f"IPSO: queries on which every measure must agree, to depth {comparison.ipso.depth}",
        notes=[_vote_ends(comparison.ipso)] if comparison.ipso.at_depth.nonseparable else [],
        champion_favoured=f"For {comparison.champion}",
        challenger_favoured=f"For {comparison.challenger}",
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
        "esl": _found_by_both(found.esl, tests.esl),
        "rr": _found_by_both(found.rr, tests.rr),
        "naive": tests.naive
        and {
            "difference": plain(tests.naive.difference),
            "rank_sum_p": tests.naive.rank_sum.p,
            "signed_rank_p": tests.naive.signed_rank.p,
            "t_p": tests.naive.t.p,
        },
    }


def _found_by_both(means: FacetMeans, tests: FacetTests | None) -> Keys:
    signed_rank, t = (tests.signed_rank.p, tests.t.p) if tests else (None, None)
    return {**row_dict(means, "champion", "challenger"), "signed_rank_p": plain(signed_rank), "t_p": plain(t)}


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


@row_class
class OutcomeRow:
    """A row of Lin et al.'s Table 2."""

    champion: str = column("A")
    challenger: str = column("B")
    difference: float = column("Δ", "number", signed=True)
    neither: float = column("(1) neither", "share", digits=0)
    champion_only: float = column("(2) A only", "share", digits=0)
    challenger_only: float = column("(2) B only", "share", digits=0)
    both: float = column("(3) both", "share", digits=0)
    champion_more: int = column("A more", "count")
    challenger_more: int = column("B more", "count")
    binomial_p: float = column("sign p", "p", digits=6)
    champion_esl: float = column("A ESL", "number", digits=2)
    challenger_esl: float = column("B ESL", "number", digits=2)
    esl_signed_rank_p: float | None = column("ESL WSR p", "p", digits=6)
    esl_t_p: float | None = column("ESL t-test p", "p", digits=6)
    champion_rr: float = column("A RR", "number")
    challenger_rr: float = column("B RR", "number")
    rr_signed_rank_p: float | None = column("RR WSR p", "p", digits=6)
    rr_t_p: float | None = column("RR t-test p", "p", digits=6)


def _outcome_row(comparison: PairEvidence, found: OutcomesResult, tests: OutcomeTestsResult) -> OutcomeRow:
    champion_more, challenger_more = found.queries_more
    esl_p, rr_p = ((both.signed_rank.p, both.t.p) if both else (None, None) for both in (tests.esl, tests.rr))
    return row_of(
        OutcomeRow,
        comparison,
        difference=comparison.means.difference,
        **found.shares,
        champion_more=champion_more,
        challenger_more=challenger_more,
        binomial_p=tests.more.p,
        champion_esl=found.esl.champion,
        challenger_esl=found.esl.challenger,
        esl_signed_rank_p=esl_p[0],
        esl_t_p=esl_p[1],
        champion_rr=found.rr.champion,
        challenger_rr=found.rr.challenger,
        rr_signed_rank_p=rr_p[0],
        rr_t_p=rr_p[1],
    )


def lin_table_2(comparisons: Sequence[PairEvidence]) -> Grid:
    """Lin et al.'s Table 2: shares of the four cases, who finds more, and ESL and RR of what both find."""
    measures = {comparison.measure for comparison in comparisons}
    return grid_of(
        OutcomeRow,
        [
            _outcome_row(comparison, comparison.outcomes, comparison.outcome_tests)
            for comparison in comparisons
            if comparison.outcomes and comparison.outcome_tests
        ],
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


@row_class
class ProtocolRow:
    """A row of the protocol of Moffat & Mackenzie 2024."""

    champion: str = column("A")
    challenger: str = column("B")
    champion_mean: float = column("Mean A", "number")
    challenger_mean: float = column("Mean B", "number")
    difference: str = column("B \N{MINUS SIGN} A")
    ns: int | None = column("ns", "count")
    equal: int | None = column("==", "count")
    ni: int | None = column("ni", "count")
    nonseparable: int | None = column("**", "count")


def protocol_table(comparisons: Sequence[PairEvidence], marks: Sequence[str]) -> Grid:
    """The protocol of Moffat & Mackenzie 2024, section 3.6: means, difference with its marks, the four relations."""
    rows = []
    for comparison, mark in zip(comparisons, marks, strict=True):
        last = comparison.ipso.at_depth if comparison.ipso is not None else None
        votes = (last.ns, last.equal, last.ni, last.nonseparable) if last else (None, None, None, None)
        difference = f"{comparison.means.difference:+.4f}{mark}".replace("-", "\N{MINUS SIGN}")
        names, means = (comparison.champion, comparison.challenger), comparison.means
        rows.append(ProtocolRow(*names, means.champion, means.challenger, difference, *votes))
    depths = {comparison.ipso.depth for comparison in comparisons if comparison.ipso is not None}
    where = f", IPSO to depth {depths.pop()}" if len(depths) == 1 else ""
    return grid_of(
        ProtocolRow,
        rows,
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
