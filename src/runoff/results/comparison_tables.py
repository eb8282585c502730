"""The tables for a paper, a row per comparison: significance tests, outcomes, and the protocol of IPSO."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.display import Column, Grid
from runoff.results.comparison_grids import Compared


def paper_tables(duels: Sequence[Compared]) -> tuple[Grid, ...]:
    """All of them that the comparisons have numbers for."""
    tables = [lin_table_1(duels)]
    tables += [lin_table_2(duels)] if any(duel.outcomes is not None for duel in duels) else []
    tables += [protocol_table(duels)] if any(duel.ipso is not None for duel in duels) else []
    return tuple(tables)


def lin_table_1(duels: Sequence[Compared]) -> Grid:
    """Lin et al.'s Table 1 of the chosen measure: difference and three tests; RR@k below it, if that is another."""
    rows: list[list[str | float | None]] = []
    for duel in duels:
        names = duel.champion, duel.challenger
        tests = (duel.p_of(name) for name in ("rank_sum", "signed_rank", "t"))
        rows.append([*names, duel.measure_name, duel.means.difference, *tests])
        if duel.outcome_tests is not None and duel.outcomes is not None and not _is_rr(duel):
            naive, level = duel.outcome_tests.naive, duel.outcomes.level
            name = f"RR{'' if level == 1 else f'(rel={level})'}@{duel.depth}"
            rows.append([*names, name, naive.difference, naive.rank_sum.p, naive.signed_rank.p, naive.t.p])
    return Grid(
        title=f"Significance tests{_ground(duels, depth=False)}",
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


def lin_table_2(duels: Sequence[Compared]) -> Grid:
    """Lin et al.'s Table 2: shares of the four cases, who finds more, and ESL and RR of what both find."""
    rows: list[list[str | float | None]] = []
    for duel in duels:
        found, tests = duel.outcomes, duel.outcome_tests
        if found is None or tests is None:
            continue
        shares = found.shares
        rows.append([
            duel.champion, duel.challenger, duel.means.difference,
            shares["neither"], shares["champion_only"], shares["challenger_only"], shares["both"],
            *found.queries_more, tests.more.p, found.esl.champion, found.esl.challenger,
            *((tests.esl.signed_rank.p, tests.esl.t.p) if tests.esl else (None, None)),
            found.rr.champion, found.rr.challenger,
            *((tests.rr.signed_rank.p, tests.rr.t.p) if tests.rr else (None, None)),
        ])  # fmt: skip
    measures = {duel.measure_name for duel in duels}
    return Grid(
        title=f"Outcomes{_ground(duels)}",
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


def protocol_table(duels: Sequence[Compared]) -> Grid:
    """The protocol of Moffat & Mackenzie 2024, section 3.6: means, difference with its marks, the four relations."""
    rows: list[list[str | float | None]] = []
    for duel in duels:
        last = duel.ipso.at_depth if duel.ipso is not None else None
        counts = [None] * 4 if last is None else [last.ns, last.equal, last.ni, last.nonseparable]
        difference = f"{duel.means.difference:+.4f}{duel.verdict.marks}".replace("-", "\N{MINUS SIGN}")
        rows.append([duel.champion, duel.challenger, duel.means.champion, duel.means.challenger, difference, *counts])
    depths = {duel.ipso.depth for duel in duels if duel.ipso is not None}
    where = f", IPSO to depth {depths.pop()}" if len(depths) == 1 else ""
    return Grid(
        title=f"{' and '.join(dict.fromkeys(duel.measure_name for duel in duels))}{where}",
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


def _is_rr(duel: Compared) -> bool:
    """Whether the chosen measure is RR at the depth and level of the outcomes."""
    measure, found = duel.measure, duel.outcomes
    return (
        measure is not None
        and measure.name == "RR"
        and found is not None
        and (measure.depth, getattr(measure, "rel", 1)) == (found.cutoff, found.level)
    )


def _ground(duels: Sequence[Compared], *, depth: bool = True) -> str:
    """The number of queries, and the depth of outcomes if asked for, where all comparisons have the same."""
    found = {(duel.depth if depth and duel.outcomes is not None else None, duel.queries) for duel in duels}
    if len(found) != 1:
        return ""
    ranks, queries = found.pop()
    return f"{'' if ranks is None else f' to rank {ranks}'} on {queries:,} queries"
