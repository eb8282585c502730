"""The overfitting monitor: alarms for clean teams, and for a team that knows some of the public queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from runoff.boards import overfitting
from runoff.simulation.calibration._base import Promise, Quantity, Seen, Settings
from runoff.simulation.calibration._source import Source, as_scores
from runoff.verdicts import OverfittingAlarm, overfitting_alarms

TEAMS: Final = 8
KNOWN: Final = 0.3
UNANSWERABLE: Final = 0.5


class MonitorAlarms(Quantity):
    """How often some alarm fires on a board of teams whose gains carry over to private queries alike.

    The first and the last submission of a team are two runs of the data, the worse one first; public queries, and half
    as many private ones, are drawn from the same data. On harder private queries half of all scores are 0 for all. For
    the power the last submission of one team has the highest score on 30% of the public queries.
    """

    name: ClassVar[str] = "monitor"
    title: ClassVar[str] = "The overfitting alarm"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """False alarms on private queries as hard and harder, and the power."""
        level = settings.policy.alpha
        knowing = f"alarm for a team that knows {KNOWN:.0%} of the public queries"
        return [
            Promise(key="clean", label=f"some alarm for {TEAMS} clean teams", kind="at most", level=level),
            Promise(
                key="harder", label="the same, half of the private queries unanswerable", kind="at most", level=level
            ),
            Promise(key="knowing", label=knowing, kind="none", promised=False),
            Promise(
                key="knowing_harder",
                label=f"{knowing}, half of the private ones unanswerable",
                kind="none",
                promised=False,
            ),
        ]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """One board of clean teams, the same with harder private queries, and both with one that knows some."""
        pairs = np.stack([rng.permutation(source.values.shape[1])[:2] for _ in range(TEAMS)])
        means = source.values.mean(axis=0)[pairs]
        pairs = np.take_along_axis(pairs, np.argsort(means, axis=1, kind="stable"), axis=1)
        public, private = (
            source.values[np.ix_(source.rows(size, rng), pairs.ravel())] for size in (queries, max(queries // 2, 2))
        )
        harder = np.where(rng.random((len(private), 1)) < UNANSWERABLE, 0.0, private)
        knowing = public.copy()
        knowing[rng.random(queries) < KNOWN, 1] = source.values.max()
        alpha = settings.policy.alpha
        return {
            "clean": _some(_alarms(public, private, alpha)),
            "harder": _some(_alarms(public, harder, alpha)),
            "knowing": _some(_alarms(knowing, private, alpha)[:1]),
            "knowing_harder": _some(_alarms(knowing, harder, alpha)[:1]),
        }


def _alarms(public: NDArray[np.float64], private: NDArray[np.float64], alpha: float) -> tuple[OverfittingAlarm, ...]:
    runs = as_scores(public).runs
    teams = {str(place): runs[2 * place : 2 * place + 2] for place in range(TEAMS)}
    return overfitting_alarms(overfitting(as_scores(public), as_scores(private), teams), alpha=alpha)


def _some(alarms: Sequence[OverfittingAlarm]) -> bool | None:
    """Whether an alarm fired; None where no team can be judged."""
    judged = [alarm.fired for alarm in alarms if alarm.p_corrected is not None]
    return any(judged) if judged else None
