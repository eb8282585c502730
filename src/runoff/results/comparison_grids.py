"""The tables of a comparison: means, tests and IPSO."""

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
    """What the tables need of a comparison; see `runoff.results.comparison.Comparison`."""

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


def means_grid(comparison: Compared, tests: Sequence[SignificanceResult]) -> Grid:
    """A row per facet: each run's value, the difference and its p-values."""
    rows: list[list[str | float | None]] = []
    by_name = {test.name: test for test in tests}
    rows.append([
        f"{comparison.measure_name}, {queries_of_tests(comparison, tests)}", comparison.means.champion,
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


def queries_of_tests(comparison: Compared, tests: Sequence[SignificanceResult]) -> str:
    """The queries that the measure is defined for, as people say it."""
    used = tests[0].n
    return "all queries" if used == comparison.queries else "1 query" if used == 1 else f"{used:,} queries"


def grid_of_tests(comparison: Compared, tests: Sequence[SignificanceResult]) -> Grid:
    """A row per test of the measure; in brackets what its scale does not permit."""
    barred = [test for test in tests if comparison.is_permitted(test) is False]
    scale = "" if comparison.measure is None else comparison.measure.scale
    brackets = f" (in brackets: need more than its {scale} scale)" if barred else ""
    return Grid(
        title=f"Tests of {comparison.measure_name} over {queries_of_tests(comparison, tests)}{brackets}",
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


def ipso_grid(comparison: Compared) -> Grid | None:
    """On how many queries every measure must agree; None where ranked lists are not known."""
    if comparison.ipso is None:
        return None
    last = comparison.ipso.at_depth
    return Grid(
        title=f"IPSO: queries on which every measure must agree, to depth {comparison.ipso.depth}",
        columns=[
            Column("champion_favoured", f"For {comparison.champion}", "count"),
            Column("equal", "Equal", "count"),
            Column("challenger_favoured", f"For {comparison.challenger}", "count"),
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
                comparison.ipso.sign_p_range[0],
                comparison.ipso.highest_sign_p,
            ]
        ],
        notes=_vote_ends(comparison.ipso),
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
