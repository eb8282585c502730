"""The result of IPSO over a board: shares of the relations, and agreement with measures and tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons import IpsoPairsResult, IpsoTheoryResult
from runoff.display import Column, Grid, Shown
from runoff.display.grid import Value
from runoff.display.rows import column, grid_of, row_class, row_dict
from runoff.phrases import listed
from runoff.results.ipso_pairs import AgreementLine, IpsoPairsShown
from runoff.significance.corrections import spoken_correction
from runoff.verdicts import AGREEMENTS, Agreement, Policy

if TYPE_CHECKING:
    from runoff.display.charts import Chart

WORDS: Final[Mapping[Agreement, tuple[str, str]]] = {
    "both_yes": ("Both yes", "the measure's test and IPSO are significant, for the same run."),
    "both_no": ("Both no", "neither is significant."),
    "measure_only": ("Measure only", "the measure's test is significant, IPSO is not."),
    "ipso_only": ("IPSO only", "IPSO is significant, the measure's test is not."),
    "opposite": ("Opposite", "both are significant, for different runs."),
}
"""The heading of each kind of pair, and what it means."""
DEFINITIONS: Final = tuple(f"{heading}: {meaning}" for heading, meaning in WORDS.values())
MOST_NAMED: Final = 20
"""Opposite cases that are named in a table; files have them all."""


def agreement_grid(lines: Sequence[AgreementLine], notes: Sequence[str]) -> Grid:
    """A row per depth, measure and test, with all kinds."""
    columns = [Column("depth", "Depth", "count"), Column("measure", "Measure"), Column("test", "Test")]
    columns += [Column(name, WORDS[name][0], "share", help=WORDS[name][1].capitalize()) for name in AGREEMENTS]
    rows: list[list[Value]] = [
        [line.depth, line.measure, line.spoken_test, *line.result.shares.values()] for line in lines
    ]
    title = f"IPSO beside measures and tests: shares of {_pairs(lines)} pairs of runs"
    return Grid(title=title, columns=columns, rows=rows, notes=[*notes, *DEFINITIONS])


def by_depth_grids(lines: Sequence[AgreementLine], notes: Sequence[str]) -> tuple[Grid, ...]:
    """A row per measure and test, and a column per depth: how often they agree, and how often one alone says yes."""
    apart = "Both yes and both no apart, and opposite: --format csv."
    return (
        _by_depth("Both yes or both no", lines, lambda line: line.agree, [*notes, *DEFINITIONS, apart]),
        _by_depth("Measure only", lines, lambda line: line.result.shares["measure_only"]),
        _by_depth("IPSO only", lines, lambda line: line.result.shares["ipso_only"]),
    )


def _by_depth(
    title: str, lines: Sequence[AgreementLine], share: Callable[[AgreementLine], float], notes: Sequence[str] = ()
) -> Grid:
    found: dict[tuple[str, str], dict[int, float]] = {}
    for line in lines:
        found.setdefault((line.label, line.spoken_test), {})[line.depth] = share(line)
    depths = sorted({line.depth for line in lines})
    columns = [Column("measure", "Measure"), Column("test", "Test")]
    columns += [Column(f"depth_{depth}", f"k = {depth}", "share") for depth in depths]
    rows: list[list[Value]] = [[*key, *(by_depth[depth] for depth in depths)] for key, by_depth in found.items()]
    return Grid(title=f"{title}: shares of {_pairs(lines)} pairs of runs", columns=columns, rows=rows, notes=notes)


def opposite_grid(runs: Sequence[str], lines: Sequence[AgreementLine]) -> Grid:
    """The cases in which both tests are significant, but for different runs, by name."""
    kind = AGREEMENTS.index("opposite")
    places = np.triu_indices(len(runs), 1)
    rows: list[list[Value]] = []
    for line in lines:
        for at in np.flatnonzero(line.result.found == kind).tolist():
            first, second = (runs[side[at]] for side in places)
            by_measure, by_ipso = (second, first) if line.tests.favours[at] > 0 else (first, second)
            p, ipso_p = float(line.result.measure_p[at]), float(line.result.ipso_p[at])
            case = f"{line.measure}, {line.spoken_test}" + (
                f", depth {line.depth}" if line.label == line.measure else ""
            )
            rows.append([case, by_measure, p, by_ipso, ipso_p])
    left = len(rows) - MOST_NAMED
    return Grid(
        title="Opposite: both are significant, for different runs",
        columns=[
            Column("case", "Measure and test"),
            Column("by_measure", "The measure's test is for"),
            Column("p", "p", "p"),
            Column("by_ipso", "IPSO is for"),
            Column("ipso_p", "p (IPSO)", "p"),
        ],
        rows=rows[:MOST_NAMED],
        notes=[f"{left:,} more cases: --per-pair --format csv."] if left > 0 else [],
    )


def _pairs(lines: Sequence[AgreementLine]) -> str:
    return f"{len(lines[0].result.found):,}"


@dataclass(frozen=True, kw_only=True)
class DepthShares:
    """A row of the paper's Table 3: shares of all (pair, query); equal + separable + nonseparable = 1.

    unjudged  the share of documents to the depth that nobody judged, on average over the runs
    theory    the shares of two lists in which every rank is relevant with probability 1/2
    """

    depth: int
    equal: float
    separable: float
    nonseparable: float
    unjudged: float
    theory: IpsoTheoryResult


@row_class
class ShareRow:
    """The shares of a board at a depth, and beside them those of two random lists."""

    depth: int = column("Depth", "count")
    equal: float = column("Equal", "share", digits=2)
    separable: float = column("Separable", "share", digits=2)
    nonseparable: float = column("Non-sep.", "share", digits=2)
    random_equal: float = column("Random: equal", "share", digits=2)
    random_separable: float = column("Random: sep.", "share", digits=2)
    random_nonseparable: float = column("Random: non-sep.", "share", digits=2)
    ipso_yes: float = column("IPSO yes", "share")
    unjudged: float = column("Unjudged", "share")


def _relations(shares: DepthShares | IpsoTheoryResult) -> tuple[float, float, float]:
    return shares.equal, shares.separable, shares.nonseparable


@dataclass(frozen=True, kw_only=True, eq=False)
class IpsoBoardResult(Shown):
    """IPSO over all pairs of a board; runs by the first measure at the first depth, the best first.

    remarks  what to know of the runs: queries that they lack, lists that end early
    votes    the counts of every pair, an entry per depth
    shares   an entry per depth
    lines    an entry per depth, measure and test, in that order
    missing_queries  by run, the queries that it lacks; only where there are some
    """

    title: str
    policy: Policy
    gains: tuple[float, ...] | None
    level: int | None
    remarks: tuple[str, ...]
    votes: tuple[IpsoPairsResult, ...]
    shares: tuple[DepthShares, ...]
    lines: tuple[AgreementLine, ...]
    missing_queries: Mapping[str, int] = field(default_factory=dict)

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs."""
        return self.votes[0].runs

    @property
    def topics(self) -> int:
        """The number of queries."""
        return self.votes[0].topics

    @property
    def depths(self) -> tuple[int, ...]:
        """The depths, ascending."""
        return tuple(vote.depth for vote in self.votes)

    @property
    def places(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The first and the second run of every pair, as places in `runs`."""
        first, second = np.triu_indices(len(self.runs), 1)
        return first, second

    @cached_property
    def ipso_yes(self) -> tuple[float, ...]:
        """Per depth, the share of pairs for which IPSO is significant."""
        by_depth = {line.depth: line.result.shares for line in self.lines}
        return tuple(
            sum(by_depth[depth][name] for name in ("both_yes", "ipso_only", "opposite")) for depth in self.depths
        )

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff ipso --format json` for three or more runs."""
        family = self.lines[0].result.family
        return {
            "title": self.title,
            "runs": list(self.runs),
            "topics": self.topics,
            "unanswerable": self.votes[0].unanswerable,
            "missing_queries": dict(self.missing_queries),
            "pair_count": len(self.places[0]),
            "alpha": self.policy.alpha,
            "correction": self.policy.correction,
            "family": None if family is None else str(family),
            "gains": None if self.gains is None else list(self.gains),
            "level": self.level,
            "remarks": list(self.remarks),
            "depths": list(self.depths),
            "shares": [
                {**row_dict(row, without=("theory",)), "ipso_yes": yes, "theory": row_dict(row.theory)}
                for row, yes in zip(self.shares, self.ipso_yes, strict=True)
            ],
            "agreement": [
                {"depth": line.depth, "measure": line.measure, "test": line.test, **line.result.shares}
                for line in self.lines
            ],
            "orders": [
                {
                    "depth": line.depth,
                    "measure": line.measure,
                    "runs": [self.runs[place] for place in line.order],
                    "means": [float(line.means[place]) for place in line.order],
                }
                for line in self._one_per_measure()
            ],
            "pairs": list(self._pairs()),
        }

    def _one_per_measure(self) -> Iterator[AgreementLine]:
        first = self.lines[0].test
        return (line for line in self.lines if line.test == first)

    def _pairs(self) -> Iterator[dict[str, object]]:
        first, second = (side.tolist() for side in self.places)
        for vote in self.votes:
            lines = [line for line in self.lines if line.depth == vote.depth]
            columns = [
                (line, line.means.tolist(), line.result.measure_p.tolist(), line.tests.favours.tolist(),
                 line.result.found.tolist())
                for line in lines
            ]  # fmt: skip
            for at, (i, j) in enumerate(zip(first, second, strict=True)):
                yield {
                    "depth": vote.depth,
                    "first": self.runs[i],
                    "second": self.runs[j],
                    "ns": int(vote.ns[i, j]),
                    "equal": int(vote.equal[i, j]),
                    "ni": int(vote.ni[i, j]),
                    "nonseparable": int(vote.nonseparable[i, j]),
                    "sign_p": float(lines[0].result.ipso_p[at]),
                    "tests": [
                        {
                            "measure": line.measure,
                            "test": line.test,
                            "difference": means[j] - means[i],
                            "p": p[at],
                            "favours": {1: self.runs[j], -1: self.runs[i]}.get(favours[at]),
                            "agreement": AGREEMENTS[found[at]],
                        }
                        for line, means, p, favours, found in columns
                    ],
                }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """How often measures must agree, and how often the tests do."""
        first, last = self.shares[0], self.shares[-1]
        free = f"{first.nonseparable:.1%}"
        if len(self.shares) > 1:
            free += f" (depth {first.depth}) to {last.nonseparable:.1%} (depth {last.depth})"
        orderings = (
            f"{len(self.runs):,} runs, {len(self.places[0]):,} pairs, {self.topics:,} queries. {self._where()}, "
            f"measures are free to disagree about two lists in {free} of the cases; in all others every reasonable "
            "measure must agree."
        )
        ordered = sorted(self.lines, key=lambda line: line.agree)
        low, high = ordered[0], ordered[-1]
        said = f"{low.agree:.1%} of pairs"
        if low.agree < high.agree:
            said += f" ({_test_of(low)}) to {high.agree:.1%} ({_test_of(high)})"
        opposite = sum(line.result.counts["opposite"] for line in self.lines)
        tests = (
            f"IPSO and a measure's own test agree on {said}, at level {self.policy.alpha:g}. In {opposite:,} of "
            f"{len(self.places[0]) * len(self.lines):,} cases both are significant for different runs."
        )
        return orderings, tests

    def _where(self) -> str:
        depths = list(map(str, self.depths))
        return f"To depth {depths[0]}" if len(depths) == 1 else f"To the depths {listed(depths, most=len(depths))}"

    def shares_grid(self) -> Grid:
        """The paper's Table 3, beside its Table 2."""
        rows = [
            ShareRow(row.depth, *_relations(row), *_relations(row.theory), yes, row.unjudged)
            for row, yes in zip(self.shares, self.ipso_yes, strict=True)
        ]
        cases = len(self.places[0]) * self.topics
        return grid_of(
            ShareRow,
            rows,
            title=self.title,
            notes=[
                f"Shares of {cases:,} pairs of lists: {len(self.places[0]):,} pairs of runs, {self.topics:,} queries.",
                "Random: two lists in which every rank is relevant with probability 1/2; exact.",
                f"IPSO yes: pairs of runs for which its sign test is significant. {self._relevance()}",
                *self.remarks,
            ],
        )

    def _relevance(self) -> str:
        if self.level is not None:
            return f"Relevant is grade {self.level} or above, to IPSO and to the measures."
        if self.gains is not None:
            return f"IPSO adds up the gains {', '.join(f'{gain:g}' for gain in self.gains)}; measures are as typed."
        return "An unjudged document counts as not relevant."

    def grid(self) -> Grid:
        """A row per depth, measure and test: the paper's Figure 7."""
        return agreement_grid(self.lines, self._notes())

    def grids(self) -> tuple[Grid, ...]:
        """Shares and agreement; with several depths, depths are columns. Opposite cases are named, if there are any."""
        tables = (self.grid(),) if len(self.depths) == 1 else by_depth_grids(self.lines, self._notes())
        opposite = opposite_grid(self.runs, self.lines)
        return (self.shares_grid(), *tables, *((opposite,) if opposite.rows else ()))

    def paper_grids(self) -> tuple[Grid, ...]:
        """Shares, and every kind of agreement."""
        return self.shares_grid(), self.grid()

    def _notes(self) -> list[str]:
        family = self.lines[0].result.family
        many = (
            "p-values are not corrected for the number of pairs, as in the paper; --correction does it."
            if family is None
            else f"p-values are corrected by {spoken_correction(self.policy.correction)}; the family is {family}."
        )
        return [f"Significant is p < {self.policy.alpha:g}. {many}"]

    def per_pair(self) -> IpsoPairsShown:
        """The same with a row per pair: the dots of the paper's Figure 8."""
        return IpsoPairsShown(runs=self.runs, lines=self.lines, content=self.to_dict)

    def charts(self) -> tuple[Chart, ...]:
        """The paper's Figure 7, its Figure 8 for the first depth, measure and test, and its Table 3."""
        from runoff.display.charts import AgreementBars, IpsoShares, RelationShares

        shares, random = (
            [RelationShares(row.depth, row.equal, row.separable, row.nonseparable) for row in rows]
            for rows in (self.shares, [row.theory for row in self.shares])
        )
        of = f"{len(self.places[0]) * self.topics:,} pairs of lists"
        return (
            AgreementBars([line.case() for line in self.lines]),
            *self.per_pair().charts(),
            IpsoShares(shares, random, of=of),
        )


def _test_of(line: AgreementLine) -> str:
    return f"{line.measure}, {line.spoken_test}"
