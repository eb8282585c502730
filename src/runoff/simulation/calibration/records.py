"""The record test on records that are luck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np

from runoff.boards import record_test
from runoff.simulation.calibration._base import Promise, Quantity, Seen, Settings, drawn_seed
from runoff.simulation.calibration._source import Source, draw_board, swapped

LOOKS: Final = 3
HIGHER: Final = 1e-9


class FalseRecords(Quantity):
    """How often a record by a run that is the same as the champion has a small p.

    Two runs whose scores are exchanged at random: the higher one is the record. And a record that was picked as the
    best of three runs of one date, all the same as the champion.
    """

    name: ClassVar[str] = "records"
    title: ClassVar[str] = "Records by runs that are the same as the champion"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """The record test, the test that does not know of the selection, and several looks."""
        level = settings.policy.alpha
        return [
            Promise(key="one", label="record test", kind="at most", level=level),
            Promise(
                key="plain",
                label="one-sided test that ignores the selection",
                kind="at most",
                level=level,
                promised=False,
            ),
            Promise(key="looks", label=f"record test, best of {LOOKS} runs of a date", kind="at most", level=level),
        ]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """What is said of one record of each kind; a board without a record does not count."""
        alpha, trials = settings.policy.alpha, settings.trials
        values, _ = swapped(source.values[np.ix_(source.rows(queries, rng), source.pair(rng))], rng)
        seen: dict[str, bool | None] = {}
        lead = float((values[:, 1] - values[:, 0]).mean())
        if abs(lead) > HIGHER:
            low, high = values.T if lead > 0.0 else values.T[::-1]
            # Sampled: the same promise as the exact one, and the same time for any scores.
            result = record_test(low, high, method="sampled", trials=trials, seed=drawn_seed(rng))
            seen |= {"one": result.p < alpha, "plain": result.plain_p < alpha}
        if source.values.shape[1] > LOOKS:
            scores = draw_board(source, queries, rng, runs=LOOKS + 1).scores
            best = 1 + int(scores.means[1:].argmax())
            if scores.means[best] - scores.means[0] > HIGHER:
                champion, record = scores.values[:, 0], scores.values[:, best]
                result = record_test(
                    champion, record, looks=LOOKS, method="sampled", trials=trials, seed=drawn_seed(rng)
                )
                seen["looks"] = result.p < alpha
        return seen
