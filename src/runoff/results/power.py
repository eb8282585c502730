"""What queries can show: the smallest difference of each facet, measure and test, as tables and under keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from runoff.display import Column, Grid, Shown
from runoff.errors import UsageError
from runoff.significance import BY_NAME, SIGNIFICANCE_TESTS
from runoff.verdicts import Power
from runoff.verdicts.power import POWER, about_queries

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
        "at ranks or signs; their numbers are for differences that grow as those of TREC runs do: the chance that a "
        "query favours the better run goes with the root of its gain."
    ),
    (
        "Queries needed are the size of the whole set, also where a row rests on a part of it, and assume that the "
        "difference is the true one: a guide for planning, not a finding. A dash: the test cannot detect it, or there "
        "is no difference."
    ),
)
LEAD: Final = "Observed: the lead of the best mean over the next."


@dataclass(frozen=True, kw_only=True)
class MeasureRow:
    """What each test can show of one measure.

    run         the challenger; empty for a board
    observed    the difference of the means; of a board, the lead of the best mean over the next
    difference  what the queries needed are for
    smallest    per test, None if it can show no difference
    needed      per test, None if there is no difference to ask about
    """

    run: str
    measure: str
    observed: float
    difference: float
    smallest: Mapping[str, float | None]
    needed: Mapping[str, int | None]

    def to_dict(self) -> dict[str, object]:
        """The keys of a measure under `tests` in JSON."""
        return {
            "observed": self.observed,
            "difference": self.difference,
            "tests": {
                name: {"smallest": self.smallest[name], "needed_queries": self.needed[name]} for name in self.smallest
            },
        }


@dataclass(frozen=True, kw_only=True)
class VoteRow:
    """What outcomes and IPSO can show: a share of votes, or a difference of mean ranks.

    n         the queries that it rests on
    observed  the larger side's share, or the difference
    """

    run: str
    facet: str
    n: int
    observed: float
    smallest: float | None
    needed: int | None


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
    measures: tuple[MeasureRow, ...]
    votes: tuple[VoteRow, ...] = ()
    about_votes: str = ""

    def to_dict(self) -> dict[str, object]:
        """The keys of `--resolution --format json`."""
        return {
            "about": self.about,
            "queries": self.queries,
            "level": self.level,
            "power": POWER,
            "measures": [
                {"challenger": row.run or None, "measure": row.measure, **row.to_dict()} for row in self.measures
            ],
            "votes": [
                {
                    "challenger": row.run or None,
                    "facet": row.facet,
                    "n": row.n,
                    "observed": row.observed,
                    "smallest": row.smallest,
                    "needed_queries": row.needed,
                }
                for row in self.votes
            ],
        }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """What the first measure's t test can show, and what its difference would need."""
        first = self.measures[0]
        smallest, needed = first.smallest["t"], first.needed["t"]
        if not smallest:
            return (f"All queries have the same difference of {first.measure}: what could be detected is not known.",)
        text = (
            f"A true difference of the mean {first.measure} of {smallest:.4f} or more is found with {POWER:.0%} power "
            f"or more by a t test on these {self.queries:,} queries ({self.about}, level {self.level:.4g})"
        )
        if needed is None:
            return (f"{text}.",)
        if needed <= self.queries:
            return (f"{text}; one of {first.difference:.4f} is that large.",)
        return (f"{text}; one of {first.difference:.4f} would need {about_queries(needed)}.",)

    def grid(self) -> Grid:
        """The smallest difference: a row per measure, a column per test."""
        return Grid(
            title=f"Smallest detectable difference, with {POWER:.0%} power at level {self.level:.4g}, {self.about}",
            columns=[
                *self._names(),
                Column("observed", "Observed", "number", help="The difference of the means, or the lead of the first."),
                *(Column(test.name, test.label, "number") for test in SIGNIFICANCE_TESTS),
            ],
            rows=[
                [
                    *self._named(row),
                    row.measure,
                    row.observed,
                    *(row.smallest[test.name] for test in SIGNIFICANCE_TESTS),
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

    def _named(self, row: MeasureRow | VoteRow) -> list[str]:
        return [row.run] if self._has_runs else []

    def needed_grid(self) -> Grid:
        """The queries needed: a row per measure, a column per test."""
        return Grid(
            title="Queries needed to detect a difference",
            columns=[
                *self._names(),
                Column("difference", "Difference", "number"),
                *(Column(test.name, test.label, "count", is_needed=True) for test in SIGNIFICANCE_TESTS),
            ],
            rows=[
                [
                    *self._named(row),
                    row.measure,
                    row.difference,
                    *(row.needed[test.name] for test in SIGNIFICANCE_TESTS),
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
                [*self._named(row), NAMES[row.facet], row.n, row.observed if row.n else None, row.smallest, row.needed]
                for row in self.votes
            ],
        )

    def grids(self) -> tuple[Grid, ...]:
        """Differences, votes, and queries needed."""
        votes = self.votes_grid()
        return (self.grid(), *((votes,) if votes else ()), self.needed_grid())


def power_grid(powers: Sequence[Power]) -> Grid | None:
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
                NAMES[one.facet],
                BY_NAME[one.test].label,
                f"{one.level:.2g}",
                one.n,
                one.observed if one.n else None,
                one.smallest,
                "yes" if one.shown else "no",
                one.needed,
            ]
            for one in powers
        ],
        notes=[
            (
                "Smaller differences usually go undetected. Queries needed are the size of the whole set, with the "
                "queries that a row leaves out, and assume that what was observed is the truth: a guide for planning."
            )
        ],
    )


def power_dict(powers: Sequence[Power]) -> dict[str, object]:
    """The keys of `resolution` in JSON."""
    known: dict[str, object] = {one.facet: one.to_dict() for one in powers}
    if powers:
        known = {"level": powers[0].level, "power": powers[0].power, **known}
    return known


def seen_from(power: Power | None) -> float | None:
    """The smallest difference that is found with 80% power; None where that is not known."""
    return None if power is None else power.smallest


def unseen_text(powers: Sequence[Power]) -> str:
    """What the test of the measure could have detected, where it shows nothing."""
    return " ".join(one.sentence for one in powers if one.facet == "measure")


def pair_resolution(
    found: Sequence[tuple[tuple[MeasureRow, ...], Sequence[Power]]], champion: str, queries: int
) -> ResolutionTableResult:
    """The table of some challengers of one champion, of each its rows and sights."""
    rows = [row for ours, _ in found for row in ours]
    if not rows:
        raise UsageError("there are no scores by query, or fewer than two queries; expected both; give more queries")
    whose = rows[0].run if len(found) == 1 else f"{len(found):,} challengers"
    return ResolutionTableResult(
        about=f"{whose} against {champion}",
        queries=queries,
        level=next(powers[0].level for _, powers in found if powers),
        measures=tuple(rows),
        votes=tuple(vote for ours, powers in found if ours for vote in vote_rows(powers, run=ours[0].run)),
    )


def vote_rows(powers: Sequence[Power], *, run: str) -> tuple[VoteRow, ...]:
    """A row per facet beside the measure."""
    return tuple(
        VoteRow(run=run, facet=one.facet, n=one.n, observed=one.observed, smallest=one.smallest, needed=one.needed)
        for one in powers
        if one.facet != "measure"
    )
