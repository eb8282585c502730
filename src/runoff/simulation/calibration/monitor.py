"""The overfitting monitor: alarms for clean teams, and for a team that knows some of the public queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np

from runoff.boards import overfitting
from runoff.simulation.calibration._base import Line, Quantity, Seen, Settings, drawn_seed
from runoff.simulation.calibration._source import Source, as_scores
from runoff.verdicts import overfitting_alarm

SUBMISSIONS: Final = 5
KNOWN: Final = 0.1


class Monitor(Quantity):
    """How often the alarm fires for a team whose runs are as good on private queries as on public ones.

    A team's submissions are runs of the data, the best of them last; public queries, and half as many private ones,
    are drawn from the same data. For the power the last one has the highest score on a tenth of the public queries.
    """

    name: ClassVar[str] = "monitor"
    title: ClassVar[str] = "The overfitting alarm"

    def lines(self, settings: Settings) -> Sequence[Line]:
        """False alarms, those of the plain interval, and the power."""
        del settings
        return [
            Line(key="clean", label=f"alarm for a clean team of {SUBMISSIONS} submissions", kind="at most", level=0.05),
            Line(key="plain", label="plain interval above 0 for a clean team", kind="at most", level=0.05,
                 promised=False),
            Line(key="knowing", label=f"alarm for a team that knows {KNOWN:.0%} of the public queries", kind="none",
                 promised=False),
        ]  # fmt: skip

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """One clean team, and the same team with some knowledge."""
        chosen = rng.permutation(source.values.shape[1])[:SUBMISSIONS]
        best = int(source.values[:, chosen].mean(axis=0).argmax())
        chosen = np.append(np.delete(chosen, best), chosen[best])
        public = source.values[np.ix_(source.rows(queries, rng), chosen)]
        private = as_scores(source.values[np.ix_(source.rows(max(queries // 2, 2), rng), chosen)])
        seed, trials = drawn_seed(rng), settings.trials
        clean = overfitting(as_scores(public), private, private.runs, trials=trials, seed=seed)
        knowing = public.copy()
        knowing[rng.random(queries) < KNOWN, -1] = source.values.max()
        caught = overfitting(as_scores(knowing), private, private.runs, trials=trials, seed=seed)
        return {
            "clean": overfitting_alarm(clean).fired,
            "plain": clean.excess_ci95[0] > 0.0,
            "knowing": overfitting_alarm(caught).fired,
        }
