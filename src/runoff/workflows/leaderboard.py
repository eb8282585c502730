"""The result of a board: a row per run with its rank's uncertainty and its verdict against the first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal

from runoff.boards.stability import StabilityResult, stability
from runoff.reports import Column, Grid, Shown
from runoff.reports.grid import machine_name
from runoff.reports.strips import strip
from runoff.significance.corrections import spoken_correction
from runoff.tables.serps import unjudged_by_depth
from runoff.verdicts import VerdictOrderResult, verdict_order
from runoff.verdicts.sight import at_level
from runoff.workflows.board_claims import BoardClaims, claims_of
from runoff.workflows.board_costs import BoardCosts, costs_of
from runoff.workflows.board_data import BoardData
from runoff.workflows.board_resolution import resolution_of_board
from runoff.workflows.duel import DuelResult
from runoff.workflows.interval_board import IntervalBoardResult, interval_board
from runoff.workflows.mark_notes import mark_notes
from runoff.workflows.records import RecordsResult
from runoff.workflows.remarks import shared_remarks
from runoff.workflows.resolution_table import ResolutionTableResult
from runoff.workflows.stability_table import StabilityTableResult

if TYPE_CHECKING:
    from runoff.reports.charts import Chart

Order = Literal["mean", "verdict"]
STRIP_WIDTH: Final = 30


@dataclass(frozen=True, kw_only=True)
class BoardRow:
    """One run of a leaderboard.

    ci95, rank_interval   95% intervals of the mean and of the rank over bootstrap samples of the queries
    p_first               how often it was first
    group                 runs of one group cannot be told apart from the first of the group
    verdict, marks        what it gets as the challenger of the first run under do no harm; None for the first itself
                          and where ranked lists are not known
    p                     the corrected p of the measure against the first run
    seen_from             the difference to the first run from which on it would be seen with 80% power
    needed_queries        the queries for which the observed difference would be that large
    copeland              how many runs it is better than minus how many it is worse than; None unless asked for
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
    verdict: str | None = None
    marks: str = ""
    p: float | None = None
    seen_from: float | None = None
    needed_queries: int | None = None
    copeland: int | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardResult(Shown):
    """A leaderboard; the best run comes first.

    data           what was read
    ranks          the ranks over bootstrap samples of the queries
    duels          every other run against the one with the best mean, in the order of the means
    records        the records over time; None if no run has a date
    verdict_order  the order by verdicts, where the rows are in that order; else they are in the order of the means
    """

    data: BoardData
    ranks: StabilityResult
    duels: tuple[DuelResult, ...] = ()
    records: RecordsResult | None = None
    verdict_order: VerdictOrderResult | None = None

    @property
    def title(self) -> str:
        """The name of the board."""
        return self.data.title

    @property
    def order(self) -> Order:
        """What the rows are ordered by."""
        return "mean" if self.verdict_order is None else "verdict"

    def by_verdict(self) -> BoardResult:
        """The same board in the order of the verdicts: Copeland scores under do no harm, ties by the mean."""
        data = self.data
        sign = -1.0 if data.best_is_low else 1.0
        serps = [data.serps_of(name) for name in data.scores.runs]
        question = data.question
        measure = question.chosen_measure()
        found = verdict_order(
            serps,
            [sign * mean for mean in data.scores.means.tolist()],
            cutoff=question.chosen_depth(measure),
            level=question.chosen_level(measure),
            policy=data.policy,
        )
        return replace(self, verdict_order=found)

    def stability(self, *, trials: int | None = None, seed: int | None = None) -> StabilityTableResult:
        """The chance of each run to be at each rank; drawn again if other trials or another seed are asked for."""
        found = self.ranks
        if (trials or found.trials, found.seed if seed is None else seed) != (found.trials, found.seed):
            found = stability(
                self.data.scores,
                trials=trials or found.trials,
                seed=found.seed if seed is None else seed,
                best_is_low=self.data.best_is_low,
            )
        return StabilityTableResult(title=self.title, stability=found)

    def interval_scaled(self) -> IntervalBoardResult:
        """The board under the interval-scaled version of its measure, beside this one."""
        return interval_board(self.data, trials=self.ranks.trials, seed=self.ranks.seed)

    @cached_property
    def claims(self) -> BoardClaims | None:
        """Who could be best, the winner's corrected score, the resolution; None where nothing can be claimed."""
        data = self.data
        return claims_of(data.scores, data.policy, self.ranks, best_is_low=data.best_is_low)

    def resolution_table(self, difference: float | None = None) -> ResolutionTableResult:
        """What the queries can show, by measure and test; see `runoff board --resolution`."""
        return resolution_of_board(self.data, self.duels, seed=self.ranks.seed, difference=difference)

    @cached_property
    def costs(self) -> BoardCosts | None:
        """What the runs cost; None where no run says."""
        return costs_of(self.data.runs, self.data.means, best_is_low=self.data.best_is_low)

    @cached_property
    def rows(self) -> tuple[BoardRow, ...]:
        """A row per run, the best first."""
        found, facts = self.ranks, {run.name: run for run in self.data.runs}
        duels = {duel.challenger: duel for duel in self.duels}
        order = found.order if self.verdict_order is None else self.verdict_order.order
        rows = []
        for place in order:
            run = facts[found.runs[place]]
            low, high = found.mean_ci95[place].tolist()
            first, last = found.rank_intervals[place].tolist()
            duel = duels.get(run.name)
            sight = duel.measure_sight if duel else None
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
                    verdict=duel.outcome if duel else None,
                    marks=duel.verdict.marks if duel else "",
                    p=duel.verdict.measure.p if duel else None,
                    seen_from=sight.smallest if sight else None,
                    needed_queries=sight.needed if sight else None,
                    copeland=self.verdict_order.copeland[place] if self.verdict_order else None,
                )
            )
        return tuple(rows)

    @property
    def leader(self) -> BoardRow:
        """The run with the best mean."""
        name = self.ranks.runs[self.ranks.order[0]]
        return next(row for row in self.rows if row.run == name)

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff board --format json`."""
        found, policy, claims = self.ranks, self.data.policy, self.claims
        return {
            "title": self.title,
            "measure": found.measure,
            "queries": found.queries,
            "trials": found.trials,
            "seed": found.seed,
            "order": self.order,
            "alpha": policy.alpha,
            "correction": policy.correction,
            "record_rule": policy.record_rule,
            "tie_rule": self.data.tie_rule,
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
                    "verdict": row.verdict,
                    "marks": row.marks,
                    "p": row.p,
                    "seen_from": row.seen_from,
                    "needed_queries": row.needed_queries,
                    "copeland": row.copeland,
                    "could_be_best": None if claims is None else claims.could_be_best(row.run),
                    "alike": None if claims is None else list(claims.alike(row.run)),
                    **self._cost_keys(row.run),
                }
                for row in self.rows
            ],
            **({"best_set": None, "winner": None, "resolution": None} if claims is None else claims.to_dict()),
            "rank_probabilities": {row.run: list(row.rank_probabilities) for row in self.rows},
            "history": self.records.to_rows() if self.records else [],
        }

    def _cost_keys(self, run: str) -> dict[str, object]:
        """What a run costs, and whether it is on the frontier; nothing where no run of the board says."""
        costs = self.costs
        if costs is None:
            return {}
        known = zip(costs.names, costs.values[run], strict=True)
        return {
            "costs": {name: value for name, value in known if value is not None},
            "frontier": costs.frontier.get(run),
        }

    def opening(self, width: int) -> tuple[str, ...]:
        """Who leads, how sure that is, and what the records are worth."""
        first, found = self.leader, self.ranks
        others = sum(row.group == first.group for row in self.rows) - 1
        text = (
            f"{first.run} leads on {found.queries:,} queries with a mean {found.measure} of {first.mean:.4f}. It is "
            f"first in {first.p_first:.1%} of {found.trials:,} bootstrap samples of the queries"
        )
        if len(self.rows) == 1:
            text += "; it is the only run."
        elif not others:
            text += ", and every other run is told apart from it."
        else:
            text += f"; {others:,} {'run' if others == 1 else 'runs'} cannot be told apart from it."
        claims = self.claims.sentences() if self.claims else ()
        costs = (self.costs.sentence(),) if self.costs else ()
        records = self.records.opening(width) if self.records else ()
        return (text, *self._order_sentence(), *claims, *costs, *records)

    def _order_sentence(self) -> tuple[str, ...]:
        if self.verdict_order is None:
            return ()
        top, first = self.rows[0], self.leader
        facts = f"Copeland score {top.copeland:+d} of at most {len(self.rows) - 1:+d}"
        if top.run == first.run:
            return (f"By the verdict order {top.run} is first as well ({facts}).",)
        return (f"By the verdict order {top.run} is first ({facts}), and {first.run} is not.",)

    def grid(self) -> Grid:
        """A row per run."""
        found = self.ranks
        has_teams, has_dates = any(row.team for row in self.rows), any(row.date for row in self.rows)
        columns = [Column("run", "Run"), Column("rank", "Rank", "count")]
        columns += [Column("copeland", "Copeland", "count", signed=True)] if self.verdict_order else []
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
        ]
        if self.duels:
            columns += [Column("verdict", "Against the first"), Column("p", "p", "p")]
            columns += [Column("seen_from", "Seen from", "number")]
        claims, costs, order = self.claims, self.costs, [row.run for row in self.rows]
        if claims:
            columns += [Column("could_be_best", "Best?"), Column("alike", "Like ranks")]
        if costs:
            columns += [Column(machine_name(f"cost_{name}"), name, "number", digits=2) for name in costs.names]
            columns += [Column("frontier", "Frontier")]
        columns += [Column("ranks", "Ranks")]
        rows = []
        for rank, row in enumerate(self.rows, start=1):
            about: list[str | int | None] = [row.copeland] if self.verdict_order else []
            about += ([row.team] if has_teams else []) + ([row.date] if has_dates else [])
            word = f"{row.verdict} {row.marks}".strip() if row.verdict else None
            verdict = [word, row.p, row.seen_from] if self.duels else []
            more: list[str | float | bool | None] = []
            if claims:
                more += [claims.could_be_best(row.run), claims.alike_ranks(row.run, order)]
            if costs:
                more += [*costs.values[row.run], costs.frontier.get(row.run)]
            rows.append([
                row.run, rank, *about, row.mean, *row.ci95, row.expected_rank, *row.rank_interval, row.p_first,
                row.group, *verdict, *more, strip(row.rank_probabilities, width=STRIP_WIDTH),
            ])  # fmt: skip
        return Grid(title=self.title, columns=columns, rows=rows, notes=self._notes())

    def _notes(self) -> list[str]:
        found, policy = self.ranks, self.data.policy
        samples = f"{found.trials:,} bootstrap samples of the {found.queries:,} queries, seed {found.seed}"
        notes = [
            f"Intervals and probabilities are over {samples}.",
            "Runs of one group cannot be told apart from the first of the group.",
            "Ranks, from the first to the last: · ░ ▒ ▓ █ from rarely to almost always there.",
        ]
        if self.claims:
            best = self.claims.best
            notes.append(
                f"Best?: whether the run could be the best, with {best.level:.0%} confidence; like ranks: the runs "
                f"that it cannot be told apart from, at {best.critical:.2f} standard errors, which holds for all "
                "pairs at once and is wider than the groups."
            )
        if self.costs:
            notes.append("Frontier: no other run is at least as good and as cheap, and better in one of these.")
        if self.duels:
            size = self.duels[0].verdict.family_size
            how = (
                f"corrected by {spoken_correction(policy.correction)} over {size:,} runs"
                if size > 1
                else "not corrected"
            )
            notes.append(
                f"Against {self.duels[0].champion}: the verdict on the run under do no harm at {policy.alpha:g}, and p "
                f"of the {policy.measure_test} test of {found.measure}, {how}."
            )
            notes.append(
                f"Seen from: the smallest true difference of {found.measure} to {self.duels[0].champion} that is found "
                f"with 80% power{at_level(self.duels[0].verdict)}: a smaller one may be there and stay inconclusive."
            )
            notes += mark_notes([duel.verdict for duel in self.duels], found.measure)
            notes += shared_remarks(self.duels)
        if self.verdict_order is not None:
            notes.append(
                "In the order of the verdicts: how many runs a run is better than under do no harm, minus how many it "
                f"is worse than; ties by the mean. Each pair is decided at {policy.alpha:g} by itself."
            )
        return notes

    def grids(self) -> tuple[Grid, ...]:
        """The board, its records if runs have dates, and what the queries can show of several measures."""
        also = self.resolution_table() if self.data.question.also else None
        records = (self.records.grid(),) if self.records else ()
        return (self.grid(), *records, *((also.grid(), also.needed_grid()) if also else ()))

    def paper_grids(self) -> tuple[Grid, ...]:
        """The board, and Lin et al.'s Tables 1 and 2 over the records."""
        return (self.grid(), *self.records.paper_grids()) if self.records else (self.grid(),)

    def rank_charts(self) -> tuple[Chart, ...]:
        """The charts that are there at once: of the ranks, and of the records where runs have dates."""
        from runoff.reports.charts import RankHeatMap, RankIntervals

        return RankHeatMap(self.ranks), RankIntervals(self.ranks), *(self.records.charts() if self.records else ())

    def charts(self) -> tuple[Chart, ...]:
        """How sure the ranks are, which runs can be told apart; records, verdicts and judged documents where known."""
        from runoff.reports.charts import BestRuns, CostFrontier, Unjudged, VerdictMatrix

        heat_map, intervals, *records = self.rank_charts()
        charts: list[Chart] = [heat_map, intervals]
        charts += [BestRuns(self.claims.best)] if self.claims else []
        if self.costs and self.costs.frontier:
            known = [(name, mean) for name, mean in self.data.means.items() if name in self.costs.frontier]
            priced = [tuple(value or 0.0 for value in self.costs.values[name]) for name, _ in known]
            charts.append(
                CostFrontier(known, priced, self.costs.names, self.ranks.measure, best_is_low=self.data.best_is_low)
            )
        charts += records
        if self.verdict_order is not None:
            charts.append(VerdictMatrix(self.verdict_order))
        if self.data.serps is not None:
            runs = [row.run for row in self.rows]
            shares = unjudged_by_depth([self.data.serps_of(name) for name in runs])
            charts += [Unjudged(runs, shares)] if shares.size else []
        return tuple(charts)
