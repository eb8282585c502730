"""The parts of an audit: the orders of the runs under each condition, and the overfitting monitor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from runoff.boards.generalization import GeneralizationResult
from runoff.boards.kendall import TauReference
from runoff.boards.overfitting import FieldChange, OverfittingResult, TeamChange
from runoff.boards.rank_sets import RankSetsResult
from runoff.boards.stability import StabilityResult
from runoff.results.fit import Fit, missing_of
from runoff.tables.board import BoardRun
from runoff.tables.scores import Scores
from runoff.verdicts.overfitting_alarm import OverfittingAlarm


@dataclass(frozen=True, kw_only=True, eq=False)
class Condition:
    """One query set, label set and measure, and the scores of the runs under them.

    name         those of its parts in which the conditions of the board differ
    measure      at the relevance level of the labels; `asked`: as the board, or whoever asked, names it
    level        the relevance level of the labels
    set_queries  how many queries the query set has; `scores` have those that also have labels
    """

    name: str
    query_set: str
    labels: str
    measure: str
    asked: str
    level: int
    best_is_low: bool
    set_queries: int
    scores: Scores


@dataclass(frozen=True, kw_only=True)
class LabelFits:
    """How the runs fit a label set, and how many queries it has."""

    fits: tuple[Fit, ...]
    queries: int


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoredConditions:
    """All conditions of a board, in the order of measures within labels within query sets.

    runs             the runs that were scored: those with files
    left_out         (query set, label set) that share no query
    fits             by label set, how the runs fit it
    """

    conditions: tuple[Condition, ...] = ()
    runs: tuple[BoardRun, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    fits: Mapping[str, LabelFits] = field(default_factory=dict)

    @property
    def missing_queries(self) -> dict[str, dict[str, int]]:
        """By label set and run, the queries that the run lacks; only where there are some."""
        found = {labels: missing_of(one.fits) for labels, one in self.fits.items()}
        return {labels: counts for labels, counts in found.items() if counts}

    def find(self, query_set: str, labels: str, measure: str) -> Condition | None:
        """The condition of these parts, the measure as it was asked for; None if it was left out."""
        for one in self.conditions:
            if (one.query_set, one.labels, one.asked) == (query_set, labels, measure):
                return one
        return None


FEW_RUNS = 20
"""Up to this number all runs are shown; of more, half that number by their means and half by their spreads."""


@dataclass(frozen=True, kw_only=True)
class TwoOrders:
    """Two conditions, Kendall's tau-b between their orders of the runs, and what it can be compared with."""

    first: str
    second: str
    tau: float
    reference: TauReference


@dataclass(frozen=True, kw_only=True, eq=False)
class Orders:
    """The order of the runs under each condition; the first condition is the one that the board ranks by.

    decisions       under each condition, which runs are above which, for all pairs at once
    generalization  None with a single condition
    baselines       the runs of the organisers, in the order of the board
    """

    conditions: tuple[Condition, ...]
    stabilities: tuple[StabilityResult, ...]
    decisions: tuple[RankSetsResult, ...]
    generalization: GeneralizationResult | None
    baselines: tuple[str, ...] = ()

    @property
    def runs(self) -> tuple[str, ...]:
        """The runs, the best under the first condition first."""
        first = self.stabilities[0]
        return tuple(first.runs[place] for place in first.order)

    def leaders(self, condition: int) -> tuple[str, ...]:
        """The run with the best mean under a condition, or all that tie for it, by name."""
        return self.stabilities[condition].leaders

    def not_worse(self, condition: int) -> int:
        """How many other runs are not shown to be worse than the run with the best mean under a condition."""
        found = self.decisions[condition]
        return len(found.runs) - 1 - int(found.above[:, self.stabilities[condition].order[0]].sum())

    @property
    def led(self) -> tuple[int, int]:
        """Under how many conditions the first run leads, alone or with others, and of how many."""
        tops = [self.leaders(number) for number in range(len(self.conditions))]
        return sum(self.runs[0] in top for top in tops), len(tops)

    def place(self, run: str) -> int:
        """Where in the arrays a run is."""
        return self.stabilities[0].runs.index(run)

    def spread(self, run: str) -> float:
        """Highest minus lowest expected rank of a run over the conditions."""
        return 0.0 if self.generalization is None else float(self.generalization.spreads[self.place(run)])

    def chosen(self, show: Sequence[str] = ()) -> tuple[str, ...]:
        """The runs to show, in order: those named, or all of a few, or the best and those with the largest spread.

        The leaders of every condition and the baselines are always among them, unless runs are named.
        """
        runs = self.runs
        if show:
            return tuple(run for run in runs if run in show)
        if len(runs) <= FEW_RUNS:
            return runs
        best, rest = runs[: FEW_RUNS // 2], runs[FEW_RUNS // 2 :]
        moving = sorted(rest, key=lambda run: -self.spread(run))[: FEW_RUNS // 2]
        return tuple(run for run in runs if run in {*best, *moving, *self.leading, *self.baselines})

    @property
    def leading(self) -> tuple[str, ...]:
        """Every run that leads under some condition, those that lead alone or come first by name before the others."""
        tops = [self.leaders(number) for number in range(len(self.conditions))]
        return tuple(dict.fromkeys([*(top[0] for top in tops), *(run for top in tops for run in top)]))

    def highlighted(self, show: Sequence[str], most: int) -> tuple[str, ...]:
        """The runs of Craswell et al.'s figure 4: those named, or the leaders of every condition and the baselines.

        Where these are too many, two places at least are for baselines.
        """
        if show:
            return self.chosen(show)[:most]
        baselines = [name for name in self.baselines if name not in self.leading]
        kept = self.leading[: most - min(len(baselines), 2)]
        return (*kept, *baselines[: most - len(kept)])

    def pairs(self) -> list[TwoOrders]:
        """Each two conditions, the lowest tau first."""
        found = self.generalization
        if found is None:
            return []
        names = found.conditions
        rows = [
            TwoOrders(first=names[i], second=names[j], tau=float(found.taus[i, j]), reference=reference)
            for (i, j), reference in found.references.items()
        ]
        return sorted(rows, key=lambda row: row.tau)


@dataclass(frozen=True, kw_only=True)
class TeamAlarm:
    """What the monitor measured about a team, and what was decided."""

    change: TeamChange
    alarm: OverfittingAlarm

    @property
    def order(self) -> tuple[bool, bool, float]:
        """Alarms first, then those that can be judged by p, then the others."""
        p = self.change.p
        return not self.alarm.fired, p is None, p if p is not None else -self.change.change_public


@dataclass(frozen=True, kw_only=True, eq=False)
class Monitor:
    """The overfitting monitor: every team with two or more scored submissions, alarms first.

    result   the measured changes, in the order of the submissions
    alpha    the level of the alarms, for all teams together
    too_few  teams with fewer
    both     queries that are public and private at once
    field    all teams together, over time
    """

    public: Condition
    private: Condition
    result: OverfittingResult
    alpha: float
    teams: tuple[TeamAlarm, ...]
    too_few: int
    both: int
    field: tuple[FieldChange, ...]

    @property
    def fired(self) -> tuple[TeamAlarm, ...]:
        """The teams with an alarm."""
        return tuple(one for one in self.teams if one.alarm.fired)

    @property
    def judged(self) -> tuple[TeamAlarm, ...]:
        """The teams that can be judged."""
        return tuple(one for one in self.teams if one.change.p is not None)
