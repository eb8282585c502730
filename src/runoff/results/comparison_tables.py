"""The tables for a paper, a row per comparison: significance tests, outcomes, and the protocol of IPSO."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.display import Column, Grid
from runoff.results.comparison_grids import Compared


def paper_tables(comparisons: Sequence[Compared]) -> tuple[Grid, ...]:
    """All of them that the comparisons have numbers for."""
    tables = [lin_table_1(comparisons)]
    tables += [lin_table_2(comparisons)] if any(comparison.outcomes is not None for comparison in comparisons) else []
    tables += [protocol_table(comparisons)] if any(comparison.ipso is not None for comparison in comparisons) else []
    return tuple(tables)


def lin_table_1(comparisons: Sequence[Compared]) -> Grid:
    """Lin et al.'s Table 1 of the chosen measure: difference and three tests; RR@k below it, if that is another."""
    rows: list[list[str | float | None]] = []
    for comparison in comparisons:
        names = comparison.champion, comparison.challenger
        tests = (comparison.p_of(name) for name in ("rank_sum", "signed_rank", "t"))
        rows.append([*names, comparison.measure_name, comparison.means.difference, *tests])
        if comparison.outcome_tests is not None and comparison.outcomes is not None and not _is_rr(comparison):
            naive, level = comparison.outcome_tests.naive, comparison.outcomes.level
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


def lin_table_2(comparisons: Sequence[Compared]) -> Grid:
    """Lin et al.'s Table 2: shares of the four cases, who finds more, and ESL and RR of what both find."""
    rows: list[list[str | float | None]] = []
    for comparison in comparisons:
        found, tests = comparison.outcomes, comparison.outcome_tests
        if found is None or tests is None:
            continue
        shares = found.shares
        rows.append([
            comparison.champion, comparison.challenger, comparison.means.difference,
            shares["neither"], shares["champion_only"], shares["challenger_only"], shares["both"],
            *found.queries_more, tests.more.p, found.esl.champion, found.esl.challenger,
            *((tests.esl.signed_rank.p, tests.esl.t.p) if tests.esl else (None, None)),
            found.rr.champion, found.rr.challenger,
            *((tests.rr.signed_rank.p, tests.rr.t.p) if tests.rr else (None, None)),
        ])  # fmt: skip
    measures = {comparison.measure_name for comparison in comparisons}
    return Grid(
        title=f"Outcomes{_ground(comparisons)}",
        columns=[
            Column("champion", "A"),
            Column("challenger", "B"),
            Column("difference", "Δ", "number", signed=True),
            Column("neither", "(1) neither", "share", digits=0),
            Column("champion_only", "(2) A only", "share", digits=0),
            Column("challenger_only", "(2) B only", "share", digits=0),
            Column("both", "(3) both", "share", digits=0),
            Column("champion_more", "A more", "count"),
            Column("challenger_more", "B more", "count"),
            Column("binomial_p", "sign p", "p", digits=6),
            Column("champion_esl", "A ESL", "number", digits=2),
            Column("challenger_esl", "B ESL", "number", digits=2),
            Column("esl_signed_rank_p", "ESL WSR p", "p", digits=6),
            Column("esl_t_p", "ESL t-test p", "p", digits=6),
            Column("champion_rr", "A RR", "number"),
            Column("challenger_rr", "B RR", "number"),
            Column("rr_signed_rank_p", "RR WSR p", "p", digits=6),
            Column("rr_t_p", "RR t-test p", "p", digits=6),
        ],
        rows=rows,
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


def protocol_table(comparisons: Sequence[Compared]) -> Grid:
    """The protocol of Moffat & Mackenzie 2024, section 3.6: means, difference with its marks, the four relations."""
    rows: list[list[str | float | None]] = []
    for comparison in comparisons:
        last = comparison.ipso.at_depth if comparison.ipso is not None else None
        counts = [None] * 4 if last is None else [last.ns, last.equal, last.ni, last.nonseparable]
        difference = f"{comparison.means.difference:+.4f}{comparison.verdict.marks}".replace("-", "\N{MINUS SIGN}")
        rows.append(
            [
                comparison.champion,
                comparison.challenger,
                comparison.means.champion,
                comparison.means.challenger,
                difference,
                *counts,
            ]
        )
    depths = {comparison.ipso.depth for comparison in comparisons if comparison.ipso is not None}
    where = f", IPSO to depth {depths.pop()}" if len(depths) == 1 else ""
    return Grid(
        title=f"{' and '.join(dict.fromkeys(comparison.measure_name for comparison in comparisons))}{where}",
        columns=[
            Column("champion", "A"),
            Column("challenger", "B"),
            Column("champion_mean", "Mean A", "number"),
            Column("challenger_mean", "Mean B", "number"),
            Column("difference", "B \N{MINUS SIGN} A"),
            Column("ns", "ns", "count"),
            Column("equal", "==", "count"),
            Column("ni", "ni", "count"),
            Column("nonseparable", "**", "count"),
        ],
        rows=rows,
        notes=[
            (
                "† the measure's test is significant; ‡ the IPSO sign test is too, and points the same way. Queries: "
                "ni no measure can prefer B, ns none can prefer A, == the lists are equal, ** measures may differ."
            )
        ],
    )


def _is_rr(comparison: Compared) -> bool:
    """Whether the chosen measure is RR at the depth and level of the outcomes."""
    measure, found = comparison.measure, comparison.outcomes
    return (
        measure is not None
        and measure.name == "RR"
        and found is not None
        and (measure.depth, getattr(measure, "rel", 1)) == (found.cutoff, found.level)
    )


def _ground(comparisons: Sequence[Compared], *, depth: bool = True) -> str:
    """The number of queries, and the depth of outcomes if asked for, where all comparisons have the same."""
    found = {
        (comparison.depth if depth and comparison.outcomes is not None else None, comparison.queries)
        for comparison in comparisons
    }
    if len(found) != 1:
        return ""
    ranks, queries = found.pop()
    return f"{'' if ranks is None else f' to rank {ranks}'} on {queries:,} queries"
