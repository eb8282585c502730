"""The parts of an audit: the orders of the runs under each condition, and the overfitting monitor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from runoff.boards.generalization import GeneralizationResult
from runoff.boards.overfitting import OverfittingResult
from runoff.boards.rank_sets import RankSetsResult
from runoff.boards.stability import StabilityResult
from runoff.verdicts.overfitting_alarm import OverfittingAlarm
from runoff.workflows.audit_conditions import Condition

FEW_RUNS = 20
"""Up to so many runs all are shown; of more, half as many by their means, and half as many more by their spreads."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Orders:
    """The order of the runs under each condition; the first condition is the one that the board ranks by.

    decisions       under each condition, which runs are above which, for all pairs at once
    generalization  None with a single condition
    """

    conditions: tuple[Condition, ...]
    stabilities: tuple[StabilityResult, ...]
    decisions: tuple[RankSetsResult, ...]
    generalization: GeneralizationResult | None

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
        """The runs to show, in order: those named, or all of a few, or the best and those with the largest spread."""
        runs = self.runs
        if show:
            return tuple(run for run in runs if run in show)
        if len(runs) <= FEW_RUNS:
            return runs
        best, rest = runs[: FEW_RUNS // 2], runs[FEW_RUNS // 2 :]
        moving = sorted(rest, key=lambda run: -self.spread(run))[: FEW_RUNS // 2]
        return tuple(run for run in runs if run in {*best, *moving})

    def pairs(self) -> list[tuple[str, str, float, float, float]]:
        """Two conditions, Kendall's tau between them and its interval; the lowest tau first."""
        found = self.generalization
        if found is None:
            return []
        names, intervals = found.conditions, found.tau_ci95
        rows = [
            (names[i], names[j], float(found.taus[i, j]), float(intervals[i, j, 0]), float(intervals[i, j, 1]))
            for i, j in zip(*np.triu_indices(len(names), 1), strict=True)
        ]
        return sorted(rows, key=lambda row: row[2])


@dataclass(frozen=True, kw_only=True)
class TeamAlarm:
    """What the monitor measured about a team, and what was decided."""

    result: OverfittingResult
    alarm: OverfittingAlarm


@dataclass(frozen=True, kw_only=True, eq=False)
class Monitor:
    """The overfitting monitor: every team with two or more scored submissions, alarms first.

    too_few  teams with fewer
    both     queries that are public and private at once
    """

    public: Condition
    private: Condition
    teams: tuple[TeamAlarm, ...]
    too_few: int
    both: int

    @property
    def fired(self) -> tuple[TeamAlarm, ...]:
        """The teams with an alarm."""
        return tuple(one for one in self.teams if one.alarm.fired)
