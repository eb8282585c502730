"""The result of a board: a row per run with the ranks that it could have and its verdict against the first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from runoff.boards.stability import StabilityResult, stability
from runoff.display import Grid, Shown
from runoff.phrases import lead_text, listed
from runoff.results.board_claims import BoardClaims, claims_of
from runoff.results.board_costs import BoardCosts, costs_of
from runoff.results.board_data import BoardData
from runoff.results.board_resolution import resolution_of_board
from runoff.results.board_rows import BoardRow, board_rows
from runoff.results.board_table import board_grid
from runoff.results.comparison import Comparison
from runoff.results.interval_board import IntervalBoardResult, interval_board
from runoff.results.power import ResolutionTableResult
from runoff.results.records import RecordsResult
from runoff.results.stability_table import StabilityTableResult, first_sentence
from runoff.tables.serps import unjudged_by_depth
from runoff.verbs._comparing import BoardDecisions
from runoff.verdicts import VerdictOrderResult, verdict_order

if TYPE_CHECKING:
    from runoff.display.charts import Chart

Order = Literal["mean", "verdict"]


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardResult(Shown):
    """A leaderboard; the best run comes first.

    data           what was read
    ranks          the ranks over bootstrap samples of the queries
    decided        who is above whom, for all pairs at once, and how they differ: all claims follow from it
    comparisons          every other run against the one with the best mean, in the order of the means
    records        the records over time; None if no run has a date
    verdict_order  the order by verdicts, where the rows are in that order; else they are in the order of the means
    """

    data: BoardData
    ranks: StabilityResult
    decided: BoardDecisions
    comparisons: tuple[Comparison, ...] = ()
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
        return claims_of(data.scores, data.policy, self.ranks, self.decided.decisions, best_is_low=data.best_is_low)

    def resolution_table(self, difference: float | None = None) -> ResolutionTableResult:
        """What the queries can show, by measure and test; see `runoff board --resolution`."""
        return resolution_of_board(self.data, self.comparisons, seed=self.ranks.seed, difference=difference)

    @cached_property
    def costs(self) -> BoardCosts | None:
        """What the runs cost; None where no run says."""
        return costs_of(self.data.runs, self.data.means, best_is_low=self.data.best_is_low)

    @cached_property
    def rows(self) -> tuple[BoardRow, ...]:
        """A row per run, the best first."""
        return board_rows(self.ranks, self.decided, self.data.runs, self.comparisons, self.verdict_order)

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
                    "rank_set": list(row.rank_set),
                    "p_first": row.p_first,
                    "could_be_best": row.could_be_best,
                    "group": row.group,
                    "verdict": row.verdict,
                    "how": list(row.how),
                    "marks": row.marks,
                    "p": row.p,
                    "seen_from": row.seen_from,
                    "needed_queries": row.needed_queries,
                    "copeland": row.copeland,
                    "missing_queries": self._missing_queries(row.run),
                    **self._cost_keys(row.run),
                }
                for row in self.rows
            ],
            **({"winner": None, "resolution": None} if claims is None else claims.to_dict()),
            "rank_probabilities": {row.run: list(row.rank_probabilities) for row in self.rows},
            "history": self.records.to_rows() if self.records else [],
        }

    def _missing_queries(self, run: str) -> int | None:
        """The queries of the labels that a run lacks; None where ranked lists are not known."""
        return next((fit.missing_queries for fit in self.data.fits if fit.run == run), None)

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
        claims = self.claims.sentences() if self.claims else ()
        costs = (self.costs.sentence(),) if self.costs else ()
        records = self.records.opening(width) if self.records else ()
        return (self._leader_sentence(), *self._order_sentence(), *claims, *costs, *records)

    def _leader_sentence(self) -> str:
        """Who leads, who could be the best, and how often the leader is first when the queries are drawn again."""
        first, found = self.leader, self.ranks
        leads = (
            f"{lead_text(found.leaders)} on {found.queries:,} queries with a mean {found.measure} of {first.mean:.4f}"
        )
        if len(self.rows) == 1:
            return f"{leads}; it is the only run."
        best = [row.run for row in self.rows if row.could_be_best]
        sure = f"with {1.0 - self.decided.decisions.alpha:.0%} confidence"
        if len(best) == 1:
            who = f"Only {best[0]} could be the best of the {len(self.rows):,} runs, {sure}"
        elif len(best) == len(self.rows):
            who = f"Any of the {len(self.rows):,} runs could be the best, {sure}"
        else:
            who = f"{len(best):,} of the {len(self.rows):,} runs could be the best, {sure}: {listed(best)}"
        return f"{leads}. {who}. {first_sentence(found)}"

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
        return board_grid(self)

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
        from runoff.display.charts import RankHeatMap, RankIntervals

        records = self.records.charts() if self.records else ()
        return RankHeatMap(self.ranks), RankIntervals(self.ranks, self.decided.decisions), *records

    def charts(self) -> tuple[Chart, ...]:
        """How sure the ranks are; records, verdicts and judged documents where known."""
        from runoff.display.charts import CostFrontier, Unjudged, VerdictMatrix

        heat_map, intervals, *records = self.rank_charts()
        charts: list[Chart] = [heat_map, intervals]
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
