"""The significance tests on two runs that are truly the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from runoff.significance import SIGNIFICANCE_TESTS
from runoff.simulation.calibration._base import Promise, Quantity, Seen, Settings, drawn_seed
from runoff.simulation.calibration._source import Source, swapped


class ScoreTests(Quantity):
    """How often each test is significant where nothing differs.

    Two runs of the data; in each query their scores are exchanged with chance one half. So both have the same
    distribution and any dependence, which is the null hypothesis of every test.
    """

    name: ClassVar[str] = "tests"
    title: ClassVar[str] = "Tests of two runs that are the same"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """One per test."""
        level = settings.policy.alpha
        return [
            Promise(key=test.name, label=test.name.replace("_", " "), kind="at most", level=level)
            for test in SIGNIFICANCE_TESTS
        ]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """Whether each test is significant on one pair."""
        rows, pair = source.rows(queries, rng), source.pair(rng)
        values, _ = swapped(source.values[np.ix_(rows, pair)], rng)
        seed = drawn_seed(rng)
        return {
            test.name: test.compare(*values.T, seed=seed, trials=settings.trials).p < settings.policy.alpha
            for test in SIGNIFICANCE_TESTS
        }
