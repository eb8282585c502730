"""Innate pairwise orderings of two runs, and of all lists of a depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Final

from runoff.comparisons import AllSerpsResult, IpsoDifferences, IpsoResult, IpsoTheoryResult, SerpOrdersResult
from runoff.display import Column, Grid, Shown
from runoff.display.grid import Value, machine_name, visible
from runoff.display.rows import row_dict
from runoff.phrases import p_text

if TYPE_CHECKING:
    from runoff.display.charts import Chart

NO_MORE: Final = (
    "The vote is not a test of all measures: non-separable queries may go either way, and a measure may score "
    "both runs the same where one is merely not worse."
)
FEW: Final = 12
"""If there are no more depths than this, all are shown."""
LEAST_NAME: Final = 8
"""Characters of a run's name above its lists, or as many as these have ranks."""


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

    differences  what measures say of the same queries
    remarks      what a reader should know beside the numbers
    depths       those that tables for people show; () is a readable selection
    missing_queries  by run, the queries that it lacks
    """

    ipso: IpsoResult
    differences: tuple[IpsoDifferences, ...] = ()
    remarks: tuple[str, ...] = ()
    depths: tuple[int, ...] = ()
    missing_queries: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff ipso --format json`."""
        found = self.ipso
        return {
            **row_dict(found, "first", "second", "topics", "unanswerable"),
            "missing_queries": dict(self.missing_queries),
            **row_dict(found, "depth", "groups", "sign_p", "sign_p_range", "sign_p_ends", "highest_sign_p"),
            "remarks": list(self.remarks),
            "by_depth": [asdict(row) for row in found.by_depth],
            "per_topic": [
                {
                    **asdict(topic),
                    "differences": {one.measure: float(one.values[row]) for one in self.differences},
                }
                for topic, row in zip(found.per_topic, found.order.tolist(), strict=True)
            ],
        }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """What the vote says."""
        found, last = self.ipso, self.ipso.at_depth
        agreed = last.ni + last.ns + last.equal
        votes = f"{last.ni:,} for {found.first}, {last.ns:,} for {found.second}, {last.equal:,} equal"
        paragraph = (
            f"To depth {found.depth}, every reasonable measure must agree on {agreed:,} of {found.topics:,} queries: "
            f"{votes}. Sign test of {last.ni:,} against {last.ns:,}: {p_text(found.sign_p)}."
        )
        if last.nonseparable:
            paragraph += f" {self._range()}"
        return (visible(paragraph), NO_MORE)

    def _range(self) -> str:
        """The votes and the p at both ends, and between them where that is higher."""
        found, free = self.ipso, self.ipso.at_depth.nonseparable
        all_of = {1: "the non-separable query", 2: "both non-separable queries"}
        who, they = all_of.get(free, f"all {free:,} non-separable queries"), "it" if free == 1 else "they"
        by_first = sorted(found.sign_p_ends, key=lambda end: -end.first)
        one, other = (
            f"{max(end.first, end.second):,} to {min(end.first, end.second):,}"
            f"{f' for {end.favours}' if end.favours else ''} ({p_text(end.p)})"
            for end in by_first
        )
        said = f"If {who} favoured {found.first}, the vote would be {one}; if {they} favoured {found.second}, {other}."
        if found.highest_sign_p > found.sign_p_range[1]:
            said += f" Split between the runs, they could bring it to {p_text(found.highest_sign_p)}."
        return said

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
            notes=[
                *([] if len(rows) == found.depth else [f"All {found.depth:,} depths: --format csv or json."]),
                *self.remarks,
            ],
        )

    def per_topic(self) -> IpsoTopicsResult:
        """The same comparison with a row per query, as in the paper's Figure 5."""
        return IpsoTopicsResult(comparison=self)

    def charts(self) -> tuple[Chart, ...]:
        """The relations by depth."""
        from runoff.display.charts import IpsoStrips

        return (IpsoStrips(self.ipso, self.differences),)


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
        return self._grid(Column("group", "Group"))

    def grids(self) -> tuple[Grid, ...]:
        """The same without the groups, which the relations show: as in the paper, and narrow enough for a screen."""
        return (self._grid(longest=max(self.comparison.ipso.depth, LEAST_NAME)),)

    def _grid(self, *group: Column, longest: int | None = None) -> Grid:
        found, differences = self.comparison.ipso, self.comparison.differences
        names = [
            name if longest is None or len(name) <= longest else f"{name[: longest - 1]}…"
            for name in (found.first, found.second)
        ]
        rows: list[list[Value]] = [
            [topic.query_id, *([topic.group] if group else []), topic.first, topic.second, topic.relations,
             *(float(one.values[row]) for one in differences)]
            for topic, row in zip(found.per_topic, found.order.tolist(), strict=True)
        ]  # fmt: skip
        said = f"Measures: the score of {found.first} less that of {found.second}"
        return Grid(
            title=f"{found.first} v {found.second} to depth {found.depth}, query by query",
            columns=[
                Column("query", "Query"),
                *group,
                Column("first", names[0]),
                Column("second", names[1]),
                Column("relations", "At depth 1, 2, ..."),
                *(
                    Column(machine_name(one.measure), heading, "number", digits=2, signed=True)
                    for one, heading in zip(differences, self._headings(), strict=True)
                ),
            ],
            rows=rows,
            notes=[*([f"{said}{self._cut()}."] if differences else []), *self.comparison.remarks],
        )

    @property
    def _depth_mark(self) -> str:
        return f"@{self.comparison.ipso.depth}"

    def _headings(self) -> list[str]:
        """Measures without the cutoff that is the depth, with a place to break the line."""
        names = (one.measure.removesuffix(self._depth_mark) for one in self.comparison.differences)
        return [name.replace("(", " (", 1) for name in names]

    def _cut(self) -> str:
        is_cut = any(one.measure.endswith(self._depth_mark) for one in self.comparison.differences)
        return f", where no cutoff is named to rank {self.comparison.ipso.depth}" if is_cut else ""

    def charts(self) -> tuple[Chart, ...]:
        """The relations by depth."""
        return self.comparison.charts()


@dataclass(frozen=True, kw_only=True, eq=False)
class IpsoTheoryShown(Shown):
    """How often two random SERPs are equal, separable or non-separable.

    relations  of all SERPs of the depth, where they are few; else none
    orders     these SERPs in the orders of two measures
    """

    theory: IpsoTheoryResult
    relations: AllSerpsResult | None = None
    orders: tuple[SerpOrdersResult, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff ipso --theory --format json`."""
        orders = [{"rows": one.rows, "columns": one.columns, "tau": one.tau} for one in self.orders]
        return {**asdict(self.theory), **({"orders": orders} if orders else {})}

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

    def grids(self) -> tuple[Grid, ...]:
        """The same, and how similarly measures order all SERPs of the depth: the panes of the paper's Figure 3."""
        if not self.orders:
            return (self.grid(),)
        count, depth = len(self.orders[0].row_serps), self.theory.depth
        orders = Grid(
            title=f"All {count:,} SERPs of depth {depth} in the order of two measures",
            columns=[
                Column("rows", "By"),
                Column("columns", "And by"),
                Column("tau", "Kendall's τ", "number", digits=3),
            ],
            rows=[[one.rows, one.columns, one.tau] for one in self.orders],
            notes=["As many relevant documents as ranks; equal scores are ordered by RBP(p=0.5)."],
        )
        return self.grid(), orders

    def charts(self) -> tuple[Chart, ...]:
        """The order of all lists of the depth, and how each stands to each, where they are few; else none."""
        from runoff.display.charts import Hasse, RelationGrid, RelationOrders

        if self.relations is None:
            return ()
        return Hasse(self.relations), RelationGrid(self.relations), RelationOrders(self.orders)
