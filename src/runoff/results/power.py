"""Power as tables and JSON: the smallest detectable difference of each facet, measure and test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from runoff.display import Column, Grid, Shown
from runoff.display.rows import row_dict
from runoff.errors import UsageError
from runoff.significance import BY_NAME, POWER, Power
from runoff.significance.power import TESTS
from runoff.verdicts import FacetPower
from runoff.verdicts.power import about_queries

NAMES: Final = {
    "measure": "Difference of the means",
    "more": "Share of queries with more found",
    "sooner": "Difference of search lengths",
    "ipso": "Share of the IPSO vote",
}
NEEDED: Final = Column(
    "needed", "Queries needed", "count", is_needed=True, help="In all, if the observed value is the true one."
)
NOTES: Final = (
    (
        "The t test, randomization and bootstrap look at the mean difference and have the same power. The others look "
        "at ranks or signs; their numbers assume, as is usual for TREC runs, that the chance of a query to favour the "
        "better run grows with the square root of its difference."
    ),
    (
        "Queries needed are for the whole query set, even where a row uses only some of its queries, and assume that "
        "the observed difference is the true one: a guide for planning, not a finding. A dash: the test cannot detect "
        "it, or there is no difference."
    ),
)
LEAD: Final = "Observed: the lead of the best mean over the next."


@dataclass(frozen=True, kw_only=True)
class PowerRow:
    """What the tests of one subject can show.

    run      the challenger; empty for a board
    subject  a measure; or more, sooner or ipso
    powers   per test; of a board, `observed` is the lead of the best mean over the next
    """

    run: str
    subject: str
    powers: Mapping[str, Power]

    @property
    def first(self) -> Power:
        """The power of the first test; the others observe the same."""
        return next(iter(self.powers.values()))

    def to_dict(self) -> dict[str, object]:
        """The keys of a measure under `tests` in JSON."""
        return {
            **row_dict(self.first, "observed", "difference"),
            "tests": {
                name: {"smallest": power.smallest, "needed_queries": power.needed}
                for name, power in self.powers.items()
            },
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class ResolutionTableResult(Shown):
    """The smallest differences that these queries show, by measure and test, and the queries that a difference needs.

    about        whose they are, such as "median of 28 pairs"
    level        of each test; alpha divided by the challengers where p-values are corrected
    about_votes  the same of the votes, where they are others
    """

    about: str
    queries: int
    level: float
    measures: tuple[PowerRow, ...]
    votes: tuple[PowerRow, ...] = ()
    about_votes: str = ""

    def to_dict(self) -> dict[str, object]:
        """The keys of `--resolution --format json`."""
        return {
            **row_dict(self, "about", "queries", "level"),
            "power": POWER,
            "measures": [
                {"challenger": row.run or None, "measure": row.subject, **row.to_dict()} for row in self.measures
            ],
            "votes": [
                {
                    "challenger": row.run or None,
                    "facet": row.subject,
                    **row_dict(row.first, "n", "observed", "smallest"),
                    "needed_queries": row.first.needed,
                }
                for row in self.votes
            ],
        }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """What the first measure's t test can show, and what its difference would need."""
        first = self.measures[0]
        smallest, needed, difference = first.powers["t"].smallest, first.powers["t"].needed, first.first.difference
        if not smallest:
            return (f"All queries have the same difference of {first.subject}: what could be detected is not known.",)
        text = (
            f"With {self.queries:,} queries, differences of the mean {first.subject} below {smallest:.4f} usually go "
            f"undetected ({POWER:.0%} power, t test at level {self.level:.4g}, {self.about})."
        )
        if needed is None:
            return (text,)
        if needed <= self.queries:
            return (f"{text} A difference of {difference:.4f} is above that.",)
        return (f"{text} A difference of {difference:.4f} would need {about_queries(needed)}.",)

    def grid(self) -> Grid:
        """The smallest difference: a row per measure, a column per test."""
        return Grid(
            title=f"Smallest detectable difference, with {POWER:.0%} power at level {self.level:.4g}, {self.about}",
            columns=[
                *self._names(),
                Column("observed", "Observed", "number", help="The difference of the means, or the lead of the first."),
                *(Column(name, BY_NAME[name].label, "number") for name in TESTS),
            ],
            rows=[
                [
                    *self._named(row),
                    row.subject,
                    row.first.observed,
                    *(power.smallest for power in row.powers.values()),
                ]
                for row in self.measures
            ],
            notes=() if any(row.run for row in self.measures) else (LEAD,),
        )

    def _names(self) -> list[Column]:
        return [*([Column("challenger", "Challenger")] if self._has_runs else []), Column("measure", "Measure")]

    @property
    def _has_runs(self) -> bool:
        return len({row.run for row in self.measures}) > 1

    def _named(self, row: PowerRow) -> list[str]:
        return [row.run] if self._has_runs else []

    def needed_grid(self) -> Grid:
        """The queries needed: a row per measure, a column per test."""
        return Grid(
            title="Queries needed to detect a difference",
            columns=[
                *self._names(),
                Column("difference", "Difference", "number"),
                *(Column(name, BY_NAME[name].label, "count", is_needed=True) for name in TESTS),
            ],
            rows=[
                [
                    *self._named(row),
                    row.subject,
                    row.first.difference,
                    *(power.needed for power in row.powers.values()),
                ]
                for row in self.measures
            ],
            notes=NOTES,
        )

    def votes_grid(self) -> Grid | None:
        """The same for outcomes and IPSO, where ranked lists are known."""
        if not self.votes:
            return None
        runs = [Column("challenger", "Challenger")] if self._has_runs else []
        return Grid(
            title=f"The same for outcomes and IPSO, {self.about_votes or self.about}",
            columns=[
                *runs,
                Column("what", "What"),
                Column("n", "Queries", "count", help="Those that the difference or the vote rests on."),
                Column("observed", "Observed", "number"),
                Column("smallest", "Detectable", "number", help="The smallest true value that would be found."),
                NEEDED,
            ],
            rows=[
                [
                    *self._named(row),
                    NAMES[row.subject],
                    row.first.n,
                    row.first.observed if row.first.n else None,
                    row.first.smallest,
                    row.first.needed,
                ]
                for row in self.votes
            ],
        )

    def grids(self) -> tuple[Grid, ...]:
        """Differences, votes, and queries needed."""
        votes = self.votes_grid()
        return (self.grid(), *((votes,) if votes else ()), self.needed_grid())


def power_grid(powers: Sequence[FacetPower]) -> Grid | None:
    """A row per facet: what was observed, what would be seen, and the queries that the observed value needs."""
    if not powers:
        return None
    first = powers[0]
    return Grid(
        title=f"Smallest detectable differences, with {first.power:.0%} power",
        columns=[
            Column("what", "What"),
            Column("test", "Test"),
            Column("level", "Level", help="Alpha, divided by the number of tests that are corrected together."),
            Column("n", "Queries", "count", help="Those that the difference or the vote rests on."),
            Column("observed", "Observed", "number"),
            Column("smallest", "Detectable", "number", help="The smallest true value that would be found."),
            Column("shown", "Shown"),
            NEEDED,
        ],
        rows=[
            [
                NAMES[power.facet],
                BY_NAME[power.test].label,
                f"{power.level:.2g}",
                power.n,
                power.observed if power.n else None,
                power.smallest,
                "yes" if power.shown else "no",
                power.needed,
            ]
            for power in powers
        ],
        notes=[
            (
                "Smaller differences usually go undetected. Queries needed are for the whole query set, even where a "
                "row uses only some of its queries, and assume that the observed value is the true one: a guide for "
                "planning."
            )
        ],
    )


def power_dict(powers: Sequence[FacetPower]) -> dict[str, object]:
    """The keys of `resolution` in JSON."""
    keys: dict[str, object] = {power.facet: power.to_dict() for power in powers}
    if powers:
        keys = {"level": powers[0].level, "power": powers[0].power, **keys}
    return keys


def seen_from(power: FacetPower | None) -> float | None:
    """The smallest difference that is found with 80% power; None where that is not known."""
    return None if power is None else power.smallest


def unseen_text(powers: Sequence[FacetPower]) -> str:
    """What the test of the measure could have detected, where it shows nothing."""
    return " ".join(power.sentence for power in powers if power.facet == "measure")


def pair_resolution(
    pairs: Sequence[tuple[tuple[PowerRow, ...], Sequence[FacetPower]]], champion: str, queries: int
) -> ResolutionTableResult:
    """The table of some challengers of one champion: of each the rows of its measures, and its facets."""
    rows = [row for measures, _ in pairs for row in measures]
    if not rows:
        raise UsageError("there are no scores by query, or fewer than two queries; expected both; give more queries")
    name = rows[0].run if len(pairs) == 1 else f"{len(pairs):,} challengers"
    return ResolutionTableResult(
        about=f"{name} against {champion}",
        queries=queries,
        level=next(powers[0].level for _, powers in pairs if powers),
        measures=tuple(rows),
        votes=tuple(
            PowerRow(run=measures[0].run, subject=power.facet, powers={power.test: power})
            for measures, powers in pairs
            if measures
            for power in powers
            if power.facet != "measure"
        ),
    )
