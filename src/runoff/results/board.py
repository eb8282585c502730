"""The result of a board: a row per run with the ranks that it could have and its verdict against the leader."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from numpy.typing import NDArray

from runoff.boards.rank_sets import FLIPS
from runoff.boards.stability import StabilityResult
from runoff.display import Column, Grid, Shown
from runoff.display.grid import Value, machine_name
from runoff.display.rows import row_dict
from runoff.display.text_pictures import strip
from runoff.phrases import lead_text, listed
from runoff.results.board_data import BoardData
from runoff.results.board_parts import (
    BoardClaims,
    BoardCosts,
    BoardRow,
    IntervalBoardResult,
    StabilityTableResult,
    first_sentence,
)
from runoff.results.comparison import Comparison
from runoff.results.fit import dropped_notes, fit_notes
from runoff.results.power import ResolutionTableResult
from runoff.results.records import RecordsResult
from runoff.results.remarks import shared_remarks
from runoff.verdicts import BoardDecisions, VerdictOrderResult
from runoff.verdicts.facet import spoken
from runoff.verdicts.power import at_level

if TYPE_CHECKING:
    from runoff.display.charts import Chart

Order = Literal["mean", "verdict"]
STRIP_WIDTH: Final = 30
RANKS_NOTE: Final = "Ranks: how often the run has each rank, from first to last: · rarely, then ░ ▒ ▓, █ almost always."
FEW: Final = 100
FEW_NOTE: Final = (
    f"On fewer than {FEW} queries this confidence can be lower where scores are skewed; `runoff calibrate` measures it."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardResult(Shown):
    """A leaderboard; the best run comes first. Showing it computes nothing.

    data             what was read
    ranks            the ranks over bootstrap samples of the queries
    decided          who is above whom, for all pairs at once, and how they differ: all claims follow from it
    rows             a row per run, the best first: by the mean, or by the verdicts where `verdict_order` is known
    comparisons      every other run against the one with the best mean, in the order of the means
    claims           the winner's corrected score and what the queries can detect; None where that is not known
    costs            what the runs cost; None where no run says
    records          the records over time; None if no run has a date
    verdict_order    the order by verdicts
    interval_scaled  the board under the interval-scaled version of its measure
    resolution       what the queries can show, by measure and test
    unjudged         runs x ranks, in the order of the rows: the share of unjudged documents to each rank

    What was not requested is None: see `BoardOptions`.
    """

    data: BoardData
    ranks: StabilityResult
    decided: BoardDecisions
    rows: tuple[BoardRow, ...]
    comparisons: tuple[Comparison, ...] = ()
    claims: BoardClaims | None = None
    costs: BoardCosts | None = None
    records: RecordsResult | None = None
    verdict_order: VerdictOrderResult | None = None
    interval_scaled: IntervalBoardResult | None = None
    resolution: ResolutionTableResult | None = None
    unjudged: NDArray[np.float64] | None = None

    @property
    def title(self) -> str:
        """The name of the board."""
        return self.data.title

    @property
    def order(self) -> Order:
        """What the rows are ordered by."""
        return "mean" if self.verdict_order is None else "verdict"

    @property
    def leader(self) -> BoardRow:
        """The run with the best mean."""
        name = self.ranks.runs[self.ranks.order[0]]
        return next(row for row in self.rows if row.run == name)

    @property
    def measure_note(self) -> str:
        """Why the measure was chosen, if nobody named one."""
        return self.data.compared.measure_note

    def rank_table(self) -> StabilityTableResult:
        """The chance of each run to be at each rank."""
        return StabilityTableResult(title=self.title, stability=self.ranks)

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff board --format json`."""
        ranks, policy = self.ranks, self.data.policy
        apart = ("rank_probabilities", *(() if self.costs else ("costs", "frontier")))
        return {
            "title": self.title,
            "measure": ranks.measure,
            "measure_note": self.measure_note,
            **row_dict(ranks, "queries", "trials", "seed"),
            "order": self.order,
            **row_dict(policy, "alpha", "correction", "record_rule"),
            "tie_rule": self.data.tie_rule,
            "runs": [row_dict(row, without=apart) for row in self.rows],
            **({"winner": None, "resolution": None} if self.claims is None else self.claims.to_dict()),
            "rank_probabilities": {row.run: list(row.rank_probabilities) for row in self.rows},
            "history": self.records.to_rows() if self.records else [],
            **({"metadata": self.data.metadata} if self.data.metadata else {}),
        }

    def opening(self, width: int) -> tuple[str, ...]:
        """Who leads, how sure that is, and what the records are worth."""
        order = (self._order_sentence(),) if self.verdict_order else ()
        claims = self.claims.sentences() if self.claims else ()
        costs = (self.costs.sentence(),) if self.costs else ()
        records = self.records.opening(width) if self.records else ()
        return (self._leader_sentence(), *order, *claims, *costs, *records)

    def _leader_sentence(self) -> str:
        """Who leads, who could be the best, and how often the leader is first when the queries are drawn again."""
        ranks, runs = self.ranks, len(self.rows)
        mean = f"a mean {ranks.measure} of {self.leader.mean:.4f}"
        leads = f"{lead_text(ranks.leaders)} on {ranks.queries:,} queries with {mean}"
        if runs == 1:
            return f"{leads}; it is the only run."
        best = [row.run for row in self.rows if row.could_be_best]
        confidence = f"with {1.0 - self.decided.decisions.alpha:.0%} confidence"
        if len(best) == 1:
            who = f"Only {best[0]} could be the best of the {runs:,} runs, {confidence}"
        elif len(best) == runs:
            who = f"Any of the {runs:,} runs could be the best, {confidence}"
        else:
            who = f"{len(best):,} of the {runs:,} runs could be the best, {confidence}: {listed(best)}"
        return f"{leads}. {who}. {first_sentence(ranks)}"

    def _order_sentence(self) -> str:
        """Who is first by the verdicts."""
        top, leader = self.rows[0], self.leader
        score = f"Copeland score {top.copeland:+d} of at most {len(self.rows) - 1:+d}"
        if top.run == leader.run:
            return f"By the verdict order {top.run} is first as well ({score})."
        return f"By the verdict order {top.run} is first ({score}), and {leader.run} is not."

    def grid(self) -> Grid:
        """A row per run."""
        return _board_grid(self)

    def grids(self) -> tuple[Grid, ...]:
        """The board, its records if runs have dates, and what the queries can show of several measures."""
        records = (self.records.grid(),) if self.records else ()
        power = self.resolution if self.data.compared.also else None
        return (self.grid(), *records, *((power.grid(), power.needed_grid()) if power else ()))

    def plain_grid(self) -> Grid:
        """A row per run, without the last column: its blocks are missing in LaTeX's fonts."""
        whole = self.grid()
        rows, notes = [row[:-1] for row in whole.rows], [note for note in whole.notes if note != RANKS_NOTE]
        return replace(whole, columns=whole.columns[:-1], rows=rows, notes=notes)

    def paper_grids(self) -> tuple[Grid, ...]:
        """The board, and Lin et al.'s Tables 1 and 2 over the records."""
        return (self.plain_grid(), *self.records.paper_grids()) if self.records else (self.plain_grid(),)

    def rank_charts(self) -> tuple[Chart, ...]:
        """The charts that are there at once: of the ranks, and of the records where runs have dates."""
        from runoff.display.charts import RankHeatMap, RankIntervals

        records = self.records.charts() if self.records else ()
        groups = {row.run: row.group for row in self.rows}
        intervals = RankIntervals(self.ranks, self.decided.decisions, [groups[run] for run in self.ranks.runs])
        return RankHeatMap(self.ranks), intervals, *records

    def charts(self) -> tuple[Chart, ...]:
        """How sure the ranks are; records, verdicts and judged documents where known."""
        from runoff.display.charts import CostFrontier, Unjudged, VerdictMatrix

        heat_map, intervals, *records = self.rank_charts()
        charts: list[Chart] = [heat_map, intervals]
        if self.costs and self.costs.frontier:
            priced = [(name, mean) for name, mean in self.data.means.items() if name in self.costs.frontier]
            costs = [tuple(value or 0.0 for value in self.costs.values[name]) for name, _ in priced]
            charts.append(
                CostFrontier(
                    priced,
                    costs,
                    self.costs.names,
                    [self.costs.by_cost[name] for name, _ in priced],
                    [self.costs.frontier[name] for name, _ in priced],
                    self.ranks.measure,
                    best_is_low=self.data.best_is_low,
                )
            )
        charts += records
        if self.verdict_order is not None:
            charts.append(VerdictMatrix(self.verdict_order))
        if self.unjudged is not None and self.unjudged.size:
            charts.append(Unjudged([row.run for row in self.rows], self.unjudged))
        return tuple(charts)


def rank_range(ranks: tuple[int, int]) -> str:
    """The ranks that a run could have.

    >>> rank_range((2, 5)), rank_range((1, 1))
    ('2 to 5', '1')
    """
    first, last = ranks
    return f"{first}" if first == last else f"{first} to {last}"


def _board_grid(board: BoardResult) -> Grid:
    rows, costs = board.rows, board.costs
    columns: list[tuple[Column, Iterable[Value]]] = [
        (Column("run", "Run"), (row.run for row in rows)),
        (Column("rank", "Rank", "count"), range(1, len(rows) + 1)),
    ]
    if board.verdict_order:
        columns.append((Column("copeland", "Copeland", "count", signed=True), (row.copeland for row in rows)))
    if any(row.team for row in rows):
        columns.append((Column("team", "Team"), (row.team for row in rows)))
    if any(row.date for row in rows):
        columns.append((Column("date", "Date"), (row.date for row in rows)))
    verdicts = (spoken(row.verdict, row.how) if row.verdict else None for row in rows)
    columns += [
        (Column("mean", board.ranks.measure, "number"), (row.mean for row in rows)),
        (Column("low", "95% from", "number"), (row.ci95[0] for row in rows)),
        (Column("high", "to", "number"), (row.ci95[1] for row in rows)),
        (Column("rank_set", "Possible ranks"), (rank_range(row.rank_set) for row in rows)),
        (Column("group", "Group", "count"), (row.group for row in rows)),
        (Column("verdict", "Against the leader"), verdicts),
        (Column("p", "p", "p"), (row.p for row in rows)),
        (Column("expected_rank", "Mean rank", "number", digits=1), (row.expected_rank for row in rows)),
        (Column("p_first", "P(first)", "share"), (row.p_first for row in rows)),
    ]
    if board.comparisons:
        columns.append((Column("seen_from", "Detectable Δ", "number"), (row.seen_from for row in rows)))
    if costs:
        columns += [
            (
                Column(machine_name(f"cost_{name}"), name, "number", digits=2),
                [costs.values[row.run][at] for row in rows],
            )
            for at, name in enumerate(costs.names)
        ]
        columns.append((Column("frontier", "Frontier"), (row.frontier for row in rows)))
    columns.append((Column("ranks", "Ranks"), (strip(row.rank_probabilities, width=STRIP_WIDTH) for row in rows)))
    return Grid.of(columns, title=board.title, notes=_notes(board))


def _notes(board: BoardResult) -> list[str]:
    ranks, policy = board.ranks, board.data.policy
    samples = f"{ranks.trials:,} bootstrap samples of the {ranks.queries:,} queries, seed {ranks.seed}"
    notes = [
        f"Intervals, mean ranks and P(first) are over {samples}.",
        (
            f"Possible ranks, groups and verdicts follow from one decision about all pairs of runs at once "
            f"({1 - policy.alpha:.0%} confidence for all runs together; max-t, step down, {FLIPS:,} flips)."
        ),
        *([FEW_NOTE] if ranks.queries < FEW else []),
        "Group: runs that are not significantly worse than the first run of the group.",
        RANKS_NOTE,
    ]
    constant = int(board.decided.decisions.is_constant.sum()) // 2
    if constant:
        pairs = "1 pair of runs differs" if constant == 1 else f"{constant:,} pairs of runs differ"
        notes.append(f"{pairs} by the same amount on every query: nothing can be claimed of a constant difference.")
    if board.costs:
        notes.append("Frontier: no other run is at least as good and as cheap, and better in one of these.")
    if board.comparisons:
        leader, family = board.comparisons[0].champion, board.decided.facets.family if board.decided.facets else None
        how = f", corrected by {policy.correction_label} over {family}" if family else ""
        notes += [
            (
                f"Against {leader}: worse or inconclusive by {ranks.measure}, p corrected over all pairs. Fewer, later "
                f"and their opposites say how the run differs{how}; they explain a verdict and do not make it."
            ),
            (
                f"Detectable Δ: the smallest true difference of {ranks.measure} to {leader} that is found with 80% "
                f"power{at_level(board.comparisons[0].verdict)}: smaller ones usually go undetected."
            ),
            *shared_remarks([comparison.evidence.remarks for comparison in board.comparisons]),
        ]
    if board.measure_note:
        notes.append(board.measure_note)
    notes += [*fit_notes(board.data.fits, ranks.queries), *dropped_notes(board.data.fits)]
    if board.verdict_order is not None:
        notes.append(
            "In the order of the verdicts: how many runs a run is better than under do no harm, minus how many it "
            f"is worse than; ties by the mean. Each pair is decided at {policy.alpha:g} by itself."
        )
    return notes
