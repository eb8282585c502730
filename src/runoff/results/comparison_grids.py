"""The tables of a duel: means, tests and IPSO."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from runoff.comparisons import FacetMeans, IpsoResult, OutcomesResult, OutcomeTestsResult
from runoff.display import Column, Grid
from runoff.measures import Measure
from runoff.significance import BY_NAME, SignificanceResult
from runoff.verdicts import VerdictResult
from runoff.verdicts.sentence import p_text


class Compared(Protocol):
    """What the tables need of a duel; see `runoff.results.comparison.DuelResult`."""

    @property
    def champion(self) -> str: ...  # noqa: D102
    @property
    def challenger(self) -> str: ...  # noqa: D102
    @property
    def queries(self) -> int: ...  # noqa: D102
    @property
    def measure(self) -> Measure | None: ...  # noqa: D102
    @property
    def measure_name(self) -> str: ...  # noqa: D102
    @property
    def means(self) -> FacetMeans: ...  # noqa: D102
    @property
    def outcomes(self) -> OutcomesResult | None: ...  # noqa: D102
    @property
    def outcome_tests(self) -> OutcomeTestsResult | None: ...  # noqa: D102
    @property
    def ipso(self) -> IpsoResult | None: ...  # noqa: D102
    @property
    def depth(self) -> int | None: ...  # noqa: D102
    @property
    def verdict(self) -> VerdictResult: ...  # noqa: D102
    def p_of(self, test: str) -> float | None: ...  # noqa: D102
    def is_permitted(self, test: SignificanceResult) -> bool | None: ...  # noqa: D102


def means_grid(duel: Compared, tests: Sequence[SignificanceResult]) -> Grid:
    """A row per facet: each run's value, the difference and its p-values."""
    rows: list[list[str | float | None]] = []
    by_name = {test.name: test for test in tests}
    rows.append([
        f"{duel.measure_name}, {queries_of_tests(duel, tests)}", duel.means.champion, duel.means.challenger,
        duel.means.difference, by_name["signed_rank"].p, by_name["t"].p,
    ])  # fmt: skip
    found, facets = duel.outcomes, duel.outcome_tests
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
        title=f"Means of {duel.challenger} against {duel.champion} on {duel.queries:,} queries",
        columns=[
            Column("what", "What"),
            Column("champion", duel.champion, "number"),
            Column("challenger", duel.challenger, "number"),
            Column("difference", "Δ", "number", signed=True, help="Challenger minus champion."),
            Column("signed_rank_p", "p (signed rank)", "p"),
            Column("t_p", "p (t test)", "p"),
        ],
        rows=rows,
    )


def queries_of_tests(duel: Compared, tests: Sequence[SignificanceResult]) -> str:
    """The queries that the measure is defined for, as people say it."""
    used = tests[0].n
    return "all queries" if used == duel.queries else "1 query" if used == 1 else f"{used:,} queries"


def grid_of_tests(duel: Compared, tests: Sequence[SignificanceResult]) -> Grid:
    """A row per test of the measure; in brackets what its scale does not permit."""
    barred = [test for test in tests if duel.is_permitted(test) is False]
    scale = "" if duel.measure is None else duel.measure.scale
    brackets = f" (in brackets: need more than its {scale} scale)" if barred else ""
    return Grid(
        title=f"Tests of {duel.measure_name} over {queries_of_tests(duel, tests)}{brackets}",
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
            for test in tests
        ],
    )


def ipso_grid(duel: Compared) -> Grid | None:
    """On how many queries every measure must agree; None where ranked lists are not known."""
    if duel.ipso is None:
        return None
    last = duel.ipso.at_depth
    return Grid(
        title=f"IPSO: queries on which every measure must agree, to depth {duel.ipso.depth}",
        columns=[
            Column("champion_favoured", f"For {duel.champion}", "count"),
            Column("equal", "Equal", "count"),
            Column("challenger_favoured", f"For {duel.challenger}", "count"),
            Column("nonseparable", "Non-separable", "count"),
            Column("sign_p", "p (sign)", "p"),
            Column("low_p", "p from", "p", help="The lowest p if the non-separable queries voted too."),
            Column("high_p", "to", "p", help="The highest p if the non-separable queries voted too."),
        ],
        rows=[
            [
                last.ni,
                last.equal,
                last.ns,
                last.nonseparable,
                last.sign_p,
                duel.ipso.sign_p_range[0],
                duel.ipso.highest_sign_p,
            ]
        ],
        notes=_vote_ends(duel.ipso),
    )


def _vote_ends(found: IpsoResult) -> list[str]:
    """The two votes if all non-separable queries went one way or the other."""
    if not found.at_depth.nonseparable:
        return []
    ends = [
        f"{end.first:,} : {end.second:,} {f'for {end.favours}' if end.favours else 'for neither'} ({p_text(end.p)})"
        for end in found.sign_p_ends
    ]
    return [f"If all non-separable queries voted for one run, the vote would be {ends[0]} or {ends[1]}."]
