"""What a query set can show: the smallest difference for each measure and test, as tables and under keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from runoff.boards import resolution_by_test
from runoff.display import Column, Grid, Shown
from runoff.errors import UsageError
from runoff.results.power_table import NAMES, NEEDED
from runoff.significance import SIGNIFICANCE_TESTS
from runoff.tables.scores import Scores
from runoff.verdicts.power import POWER, Power, about_queries

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


def measure_rows(
    scores: Sequence[Scores], *, run: str, level: float, difference: float | None = None
) -> tuple[MeasureRow, ...]:
    """A row per matrix of two runs' scores, champion and challenger; undefined scores are left out."""
    rows = []
    for one in scores:
        values = one.values[~np.isnan(one.values).any(axis=1)]
        if len(values) < 2:
            continue
        found = resolution_by_test(*values.T, difference=difference, level=level, power=POWER)
        rows.append(
            MeasureRow(
                run=run,
                measure=one.measure,
                observed=found.observed,
                difference=found.difference,
                smallest=found.smallest,
                needed=found.needed,
            )
        )
    return tuple(rows)


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
