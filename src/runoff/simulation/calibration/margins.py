"""Equivalence: "no worse" and "as good" about a run that is just as much worse as the margin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from runoff.significance import equivalence
from runoff.simulation.calibration._base import Promise, Quantity, Seen, Settings
from runoff.simulation.calibration._source import SAME, Source, swapped


class Margins(Quantity):
    """How often a run is called no worse that is worse by the whole margin.

    The scores of two runs are exchanged with chance one quarter, so half of their difference is left; that half is the
    margin.
    """

    name: ClassVar[str] = "margins"
    title: ClassVar[str] = "A run that is worse by the margin"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """Both statements."""
        level = settings.policy.alpha
        return [
            Promise(key="no_worse", label="called no worse", kind="at most", level=level),
            Promise(key="equivalent", label="called as good", kind="at most", level=level),
        ]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """What is said of one pair."""
        pair = source.values[:, source.pair(rng)]
        if pair[:, 1].mean() > pair[:, 0].mean():
            pair = pair[:, ::-1]
        margin = float((pair[:, 0] - pair[:, 1]).mean()) / 2
        if margin <= SAME:
            return {}
        values, _ = swapped(pair[source.rows(queries, rng)], rng, 0.25)
        result = equivalence(*values.T, margin=margin)
        alpha = settings.policy.alpha
        return {"no_worse": result.no_worse_p < alpha, "equivalent": result.p < alpha}
