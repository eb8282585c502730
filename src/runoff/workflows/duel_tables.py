"""Tables 1 and 2 of Lin et al. 2021, a row per comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from runoff.comparisons import OutcomesResult, OutcomeTestsResult
from runoff.reports import Column, Grid


class Compared(Protocol):
    """A comparison of two runs with its outcomes."""

    @property
    def champion(self) -> str:
        """The run to beat."""

    @property
    def challenger(self) -> str:
        """The run that claims to be better."""

    @property
    def outcomes(self) -> OutcomesResult | None:
        """Which run answers which query."""

    @property
    def outcome_tests(self) -> OutcomeTestsResult | None:
        """The tests of the outcomes."""


def lin_table_1(duels: Sequence[Compared]) -> Grid:
    """The naive comparison: difference of mean RR@k and three tests over all queries."""
    rows: list[list[str | float | None]] = []
    for duel in duels:
        if duel.outcome_tests is not None:
            naive = duel.outcome_tests.naive
            rows.append([
                duel.champion, duel.challenger, naive.difference, naive.rank_sum.p, naive.signed_rank.p, naive.t.p,
            ])  # fmt: skip
    return Grid(
        title=f"Significance tests of RR{_ground(duels)}",
        columns=[
            Column("champion", "A"),
            Column("challenger", "B"),
            Column("difference", "Δ", "number", signed=True),
            Column("rank_sum_p", "WRS p", "p", digits=6),
            Column("signed_rank_p", "WSR p", "p", digits=6),
            Column("t_p", "t-test p", "p", digits=6),
        ],
        rows=rows,
        notes=[
            "A: champion; B: challenger; Δ: mean RR of B minus A; WRS: rank sum; WSR: signed rank; p-values are raw."
        ],
    )


def lin_table_2(duels: Sequence[Compared]) -> Grid:
    """The outcomes: shares of the four cases, and ESL and RR with their tests where both runs answer."""
    rows: list[list[str | float | None]] = []
    for duel in duels:
        found, tests = duel.outcomes, duel.outcome_tests
        if found is None or tests is None:
            continue
        shares = found.shares
        rows.append([
            duel.champion, duel.challenger, tests.naive.difference,
            shares["neither"], shares["champion_only"], shares["challenger_only"], tests.binomial_p, shares["both"],
            found.esl.champion, found.esl.challenger,
            *((tests.esl.signed_rank.p, tests.esl.t.p) if tests.esl else (None, None)),
            found.rr.champion, found.rr.challenger,
            *((tests.rr.signed_rank.p, tests.rr.t.p) if tests.rr else (None, None)),
        ])  # fmt: skip
    return Grid(
        title=f"Outcomes{_ground(duels)}",
        columns=[
            Column("champion", "A"),
            Column("challenger", "B"),
            Column("difference", "Δ", "number", signed=True),
            Column("neither", "(1) All", "share", digits=0),
            Column("champion_only", "(2) A wins", "share", digits=0),
            Column("challenger_only", "(2) B wins", "share", digits=0),
            Column("binomial_p", "binomial p", "p", digits=6),
            Column("both", "(3) All", "share", digits=0),
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
            "A: champion; B: challenger; Δ: mean RR of B minus A; WSR: signed rank; p-values are raw.",
            "(1) neither run answers, (2) one does, (3) both do; ESL and RR are over (3).",
        ],
    )


def _ground(duels: Sequence[Compared]) -> str:
    """The cutoff and the number of queries, where all comparisons have the same."""
    found = {(duel.outcomes.cutoff, duel.outcomes.queries) for duel in duels if duel.outcomes is not None}
    if len(found) != 1:
        return ""
    cutoff, queries = found.pop()
    return f"{'' if cutoff is None else f' to rank {cutoff}'} on {queries:,} queries"
