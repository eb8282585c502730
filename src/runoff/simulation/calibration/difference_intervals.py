"""The intervals of a mean difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np

from runoff.significance import find_significance_test
from runoff.simulation.calibration._base import Promise, Quantity, Seen, Settings, drawn_seed
from runoff.simulation.calibration._source import Source

NAMES: Final = ("t", "bootstrap")


class DifferenceIntervals(Quantity):
    """How often the 95% interval of a difference holds the true one: that of two runs over all queries of the data."""

    name: ClassVar[str] = "differences"
    title: ClassVar[str] = "95% intervals of the difference of two means"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """One per test whose effect is the mean difference and whose interval is its own."""
        del settings
        return [Promise(key=name, label=name, kind="at least", level=0.95) for name in NAMES]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """Whether the intervals of one pair hold the truth."""
        pair = source.values[:, source.pair(rng)]
        truth = float((pair[:, 1] - pair[:, 0]).mean())
        values = pair[source.rows(queries, rng)]
        seed = drawn_seed(rng)
        covered = {}
        for name in NAMES:
            low, high = find_significance_test(name).compare(*values.T, seed=seed, trials=settings.trials).effect_ci95
            covered[name] = low <= truth <= high
        return covered
