"""Resolution and power: is the smallest difference that a t test can see really seen, and by which other tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from runoff.significance import SIGNIFICANCE_TESTS
from runoff.significance.power import POWER, student_factor
from runoff.simulation.calibration._base import Promise, Quantity, Seen, Settings, drawn_seed
from runoff.simulation.calibration._source import Source, swapped


class Detection(Quantity):
    """How often each test finds a difference that is just as large as the t test's resolution with these queries.

        the scores of two runs are exchanged with chance s:  difference (1 - 2 s) m, mean square as in the data
        s is such that the difference is f x sd / sqrt(n), f = student_factor(n, alpha, 0.8)

    The t test has been promised 80%; the others show what they can do with the same difference, which is not the one
    that `score_powers` promises 80% of them for: that promise is about differences that come about in another
    way, and tests/significance/test_power_by_test.py holds it to account.
    """

    name: ClassVar[str] = "power"
    title: ClassVar[str] = "Power at the smallest difference that a t test is promised to find with 80%"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """The promise, and the power of the other tests."""
        del settings
        return [
            Promise(key="t", label="t (the resolution's promise)", kind="at least", level=POWER),
            *(
                Promise(
                    key=test.name,
                    label=f"{test.name.replace('_', ' ')}, at the same difference",
                    kind="none",
                    promised=False,
                )
                for test in SIGNIFICANCE_TESTS
                if test.name != "t"
            ),
        ]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """Whether each test finds the better run of one pair."""
        alpha = settings.policy.alpha
        factor = student_factor(queries, alpha, POWER) ** 2
        leads, squares = source.leads.T
        wanted = np.sqrt(factor * squares / (queries + factor))
        enough = np.flatnonzero(np.abs(leads) >= wanted)
        if not len(enough):
            return {}
        place = int(enough[rng.integers(len(enough))])
        pair = source.pairs[place] if leads[place] > 0.0 else source.pairs[place][::-1]
        chance = (1.0 - wanted[place] / abs(leads[place])) / 2
        values, _ = swapped(source.values[np.ix_(source.rows(queries, rng), pair)], rng, chance)
        seed = drawn_seed(rng)
        results = [test.compare(*values.T, seed=seed, trials=settings.trials) for test in SIGNIFICANCE_TESTS]
        return {result.name: result.p < alpha and result.favours > 0 for result in results}
