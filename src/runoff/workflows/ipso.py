"""Innate pairwise orderings: on which queries every measure must agree about two runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from runoff.comparisons import IpsoResult, IpsoTheoryResult, ipso, ipso_theory, relations_of_all
from runoff.reports import Column, Grid, Shown
from runoff.reports.cells import visible
from runoff.verdicts.sentence import p_text
from runoff.workflows.inputs import Reading, as_qrels, one_tie_rule
from runoff.workflows.map_runs import map_runs

if TYPE_CHECKING:
    from runoff.reports.charts import Chart

NO_MORE: Final = (
    "The vote is not a test of all measures: non-separable queries may go either way, and measures may score both runs "
    "alike where one is only not worse."
)
FEW: Final = 12
"""So many depths are all shown."""


def readable_depths(deepest: int) -> tuple[int, ...]:
    """All depths if they are few, else 1, 2, 3, 5, 10, 20, 50, 100, ... and the deepest.

    >>> readable_depths(60)
    (1, 2, 3, 5, 10, 20, 50, 60)
    """
    if deepest <= FEW:
        return tuple(range(1, deepest + 1))
    steps = (step * 10**power for power in range(len(str(deepest))) for step in (1, 2, 5))
    return tuple(sorted({3, deepest, *(depth for depth in steps if depth < deepest)}))


@dataclass(frozen=True, kw_only=True, eq=False)
class IpsoComparisonResult(Shown):
    """The relations of two runs at every depth; `ni` favours the first run.

    depths  those that tables for people show; () is a readable selection
    """

    ipso: IpsoResult
    depths: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff ipso --format json`."""
        found = self.ipso
        return {
            "first": found.first,
            "second": found.second,
            "topics": found.topics,
            "depth": found.depth,
            "groups": found.groups,
            "sign_p": found.sign_p,
            "sign_p_range": list(found.sign_p_range),
            "highest_sign_p": found.highest_sign_p,
            "by_depth": [asdict(row) for row in found.by_depth],
            "per_topic": [asdict(topic) for topic in found.per_topic],
        }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """What the vote says."""
        found, last = self.ipso, self.ipso.at_depth
        low, high = found.sign_p_range
        agreed = last.ni + last.ns + last.equal
        votes = f"{last.ni:,} for {found.first}, {last.ns:,} for {found.second}, {last.equal:,} equal"
        paragraph = (
            f"To depth {found.depth}, every reasonable measure must agree on {agreed:,} of {found.topics:,} queries: "
            f"{votes}. Sign test of {last.ni:,} against {last.ns:,}: {p_text(found.sign_p)}."
        )
        if last.nonseparable:
            highest = f"; split, as high as {p_text(found.highest_sign_p)}" if found.highest_sign_p > high else ""
            paragraph += (
                f" If the {last.nonseparable:,} non-separable queries all voted one way or the other: {p_text(low)} or "
                f"{p_text(high)}{highest}."
            )
        return (visible(paragraph), NO_MORE)

    def grid(self) -> Grid:
        """A row per depth."""
        return self._grid(range(1, self.ipso.depth + 1))

    def grids(self) -> tuple[Grid, ...]:
        """A row for each of the depths that are shown."""
        return (self._grid(self.depths or readable_depths(self.ipso.depth)),)

    def showing(self, depths: Sequence[int]) -> IpsoComparisonResult:
        """The same, with tables for people of these depths; of one depth or none, a readable selection."""
        return replace(self, depths=tuple(depths) if len(depths) > 1 else ())

    def _grid(self, depths: Sequence[int]) -> Grid:
        found = self.ipso
        rows = [found.by_depth[depth - 1] for depth in depths]
        return Grid(
            title=f"Innate pairwise orderings of {found.first} and {found.second} by depth",
            columns=[
                Column("depth", "Depth", "count"),
                Column("ni", f"For {found.first} (ni)", "count"),
                Column("equal", "Equal (==)", "count"),
                Column("ns", f"For {found.second} (ns)", "count"),
                Column("nonseparable", "Non-separable (**)", "count"),
                Column("sign_p", "p (sign)", "p"),
            ],
            rows=[[row.depth, row.ni, row.equal, row.ns, row.nonseparable, row.sign_p] for row in rows],
            notes=[] if len(rows) == found.depth else [f"All {found.depth:,} depths: --format csv or json."],
        )

    def per_topic(self) -> IpsoTopicsResult:
        """The same comparison with a row per query, as in the paper's Figure 5."""
        return IpsoTopicsResult(comparison=self)

    def charts(self) -> tuple[Chart, ...]:
        """The relations by depth."""
        from runoff.reports.charts import IpsoStrips

        return (IpsoStrips(self.ipso),)


@dataclass(frozen=True, kw_only=True, eq=False)
class IpsoTopicsResult(Shown):
    """A line per query, ordered into the five groups."""

    comparison: IpsoComparisonResult

    def to_dict(self) -> dict[str, object]:
        """The keys of the comparison."""
        return self.comparison.to_dict()

    def opening(self, width: int) -> tuple[str, ...]:
        """What the vote says."""
        return self.comparison.opening(width)

    def grid(self) -> Grid:
        """A row per query."""
        found = self.comparison.ipso
        return Grid(
            title=f"{found.first} v {found.second} to depth {found.depth}, query by query",
            columns=[
                Column("query", "Query"),
                Column("group", "Group"),
                Column("first", found.first),
                Column("second", found.second),
                Column("relations", "At depth 1, 2, ..."),
            ],
            rows=[[one.query_id, one.group, one.first, one.second, one.relations] for one in found.per_topic],
        )

    def charts(self) -> tuple[Chart, ...]:
        """The relations by depth."""
        return self.comparison.charts()


@dataclass(frozen=True, kw_only=True, eq=False)
class IpsoTheoryShown(Shown):
    """How often two random SERPs are equal, separable or non-separable."""

    theory: IpsoTheoryResult

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff ipso --theory --format json`."""
        return asdict(self.theory)

    def grid(self) -> Grid:
        """One row of the paper's Table 2."""
        theory = self.theory
        return Grid(
            title="Two random SERPs",
            columns=[
                Column("depth", "Depth", "count"),
                Column("equal", "Equal", "share", digits=2),
                Column("separable", "Separable", "share", digits=2),
                Column("nonseparable", "Non-separable", "share", digits=2),
            ],
            rows=[[theory.depth, theory.equal, theory.separable, theory.nonseparable]],
            notes=["Every rank is relevant with probability 1/2, independently; exact."],
        )

    def charts(self) -> tuple[Chart, ...]:
        """The order of all lists of the depth, and how each stands to each, where they are few; else none."""
        from runoff.reports.charts import Hasse, RelationGrid
        from runoff.reports.charts.relation_grid import DEEPEST

        if self.theory.depth > DEEPEST:
            return ()
        found = relations_of_all(self.theory.depth)
        return Hasse(found), RelationGrid(found)


def compare_ipso(
    first: Any,
    second: Any,
    qrels: Any,
    *,
    depth: int = 10,
    gains: Sequence[float] | None = None,
    level: int | None = None,
    reading: Reading | None = None,
) -> IpsoComparisonResult:
    """The innate pairwise orderings of two runs: per query, whether every reasonable measure must agree.

    >>> result = compare_ipso({"q": {"d": 2.0}}, {"q": {"x": 2.0, "d": 1.0}}, {"q": {"d": 1}}, depth=2)
    >>> result.ipso.groups["ni"], result.ipso.per_topic[0].relations
    (1, 'nini')
    """
    labels = as_qrels(qrels, reading=reading)
    one, other = map_runs(lambda serps, _run: serps, [first, second], labels, depth=depth, reading=reading)
    one_tie_rule((one.tie_rule, other.tie_rule))
    return IpsoComparisonResult(ipso=ipso(one, other, depth=depth, gains=gains, level=level))


def theory(depth: int) -> IpsoTheoryShown:
    """The exact probabilities for two random SERPs of a depth.

    >>> round(theory(10).theory.separable, 4)
    0.6708
    """
    return IpsoTheoryShown(theory=ipso_theory(depth))
