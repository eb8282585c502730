"""The result of a board: a row per run with its rank's uncertainty, and the records over time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from runoff.boards.history import HistoryResult
from runoff.boards.stability import StabilityResult
from runoff.reports import Column, Grid, Shown
from runoff.reports.strips import strip
from runoff.tables.board import BoardRun

if TYPE_CHECKING:
    from runoff.reports.charts import Chart

STRIP_WIDTH = 30


@dataclass(frozen=True, kw_only=True)
class BoardRow:
    """One run of a leaderboard.

    ci95, rank_interval   95% intervals of the mean and of the rank over bootstrap samples of the queries
    p_first               how often it was first
    group                 runs of one group cannot be told apart from the first of the group
    """

    run: str
    team: str
    date: str | None
    mean: float
    ci95: tuple[float, float]
    expected_rank: float
    rank_interval: tuple[int, int]
    p_first: float
    group: int
    rank_probabilities: tuple[float, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardResult(Shown):
    """A leaderboard; the best run comes first."""

    title: str
    stability: StabilityResult
    runs: tuple[BoardRun, ...]
    history: HistoryResult | None = None

    @cached_property
    def rows(self) -> tuple[BoardRow, ...]:
        """A row per run, the best first."""
        found, facts = self.stability, {run.name: run for run in self.runs}
        rows = []
        for place in found.order:
            run = facts[found.runs[place]]
            low, high = found.mean_ci95[place].tolist()
            first, last = found.rank_intervals[place].tolist()
            rows.append(
                BoardRow(
                    run=run.name,
                    team=run.team,
                    date=run.date.isoformat() if run.date else None,
                    mean=float(found.means[place]),
                    ci95=(low, high),
                    expected_rank=float(found.expected_ranks[place]),
                    rank_interval=(first, last),
                    p_first=float(found.p_first[place]),
                    group=int(found.groups[place]),
                    rank_probabilities=tuple(found.rank_probabilities[place].tolist()),
                )
            )
        return tuple(rows)

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff board --format json`."""
        found = self.stability
        return {
            "title": self.title,
            "measure": found.measure,
            "queries": found.queries,
            "trials": found.trials,
            "seed": found.seed,
            "runs": [
                {
                    "run": row.run,
                    "team": row.team,
                    "date": row.date,
                    "mean": row.mean,
                    "ci95": list(row.ci95),
                    "expected_rank": row.expected_rank,
                    "rank_interval": list(row.rank_interval),
                    "p_first": row.p_first,
                    "group": row.group,
                }
                for row in self.rows
            ],
            "rank_probabilities": {row.run: list(row.rank_probabilities) for row in self.rows},
            "history": self._history(),
        }

    def _history(self) -> list[dict[str, object]]:
        records = self.history.records if self.history else ()
        return [
            {
                "date": record.date.isoformat(),
                "run": record.name,
                "team": record.team,
                "mean": record.mean,
                "displaced": record.displaced,
            }
            for record in records
        ]

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """Who leads, and how sure that is."""
        first = self.rows[0]
        group = [row.run for row in self.rows if row.group == first.group]
        found = self.stability
        text = (
            f"{first.run} leads on {found.queries:,} queries with a mean {found.measure} of {first.mean:.4f}. It is "
            f"first in {first.p_first:.1%} of {found.trials:,} bootstrap samples of the queries"
        )
        if len(group) == 1:
            return (f"{text}, and every other run is told apart from it.",)
        others = len(group) - 1
        return (f"{text}; {others:,} {'run' if others == 1 else 'runs'} cannot be told apart from it.",)

    def grid(self) -> Grid:
        """A row per run."""
        found = self.stability
        has_teams, has_dates = any(row.team for row in self.rows), any(row.date for row in self.rows)
        columns = [Column("run", "Run"), Column("rank", "Rank", "count")]
        columns += [Column("team", "Team")] if has_teams else []
        columns += [Column("date", "Date")] if has_dates else []
        columns += [
            Column("mean", found.measure, "number"),
            Column("low", "95% from", "number"),
            Column("high", "to", "number"),
            Column("expected_rank", "Mean rank", "number", digits=1),
            Column("first_rank", "Rank from", "count"),
            Column("last_rank", "to ", "count"),
            Column("p_first", "P(first)", "share"),
            Column("group", "Group", "count"),
            Column("ranks", "Ranks"),
        ]
        rows = []
        for rank, row in enumerate(self.rows, start=1):
            about = ([row.team] if has_teams else []) + ([row.date] if has_dates else [])
            rows.append([
                row.run, rank, *about, row.mean, *row.ci95, row.expected_rank, *row.rank_interval, row.p_first,
                row.group, strip(row.rank_probabilities, width=STRIP_WIDTH),
            ])  # fmt: skip
        samples = f"{found.trials:,} bootstrap samples of the {found.queries:,} queries, seed {found.seed}"
        notes = [
            f"Intervals and probabilities are over {samples}.",
            "Runs of one group cannot be told apart from the first of the group.",
            "Ranks, from the first to the last: · ░ ▒ ▓ █ from rarely to almost always there.",
        ]
        return Grid(title=self.title, columns=columns, rows=rows, notes=notes)

    def grids(self) -> tuple[Grid, ...]:
        """The board, and its records if runs have dates."""
        if self.history is None:
            return (self.grid(),)
        records = Grid(
            title="Records",
            columns=[
                Column("date", "Date"),
                Column("run", "Run"),
                Column("team", "Team"),
                Column("mean", self.stability.measure, "number"),
                Column("displaced", "Displaced"),
            ],
            rows=[
                [record.date.isoformat(), record.name, record.team, record.mean, record.displaced]
                for record in self.history.records
            ],
            notes=self._history_notes(),
        )
        return self.grid(), records

    def _history_notes(self) -> list[str]:
        if self.history is None:
            return []
        notes = []
        if self.history.baseline:
            name, mean = self.history.baseline
            notes.append(f"The first record had to beat the baseline {name} ({mean:.4f}).")
        if self.history.undated:
            notes.append(f"{len(self.history.undated):,} runs without a date are left out of the records.")
        return notes

    def charts(self) -> tuple[Chart, ...]:
        """How sure the ranks are, which runs can be told apart, and the records if runs have dates."""
        from runoff.reports.charts import RankHeatMap, RankIntervals, Timeline

        found = self.stability
        ranks = RankHeatMap(found), RankIntervals(found)
        if self.history is None or not self.history.runs:
            return ranks
        means = dict(zip(found.runs, found.means.tolist(), strict=True))
        return *ranks, Timeline(self.runs, means, found.measure, best_is_low=self.history.best_is_low)
