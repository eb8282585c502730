"""Certified records along a history."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import ClassVar, Final

import numpy as np

from runoff.boards import history, record_test
from runoff.choices import RECORD_RULES
from runoff.simulation.calibration._base import Promise, Quantity, Seen, Settings, drawn_seed
from runoff.simulation.calibration._source import SAME, DrawnBoard, Source, draw_board
from runoff.tables.board import BoardRun
from runoff.verdicts import certify_records

FIRST_DAY: Final = date(2020, 1, 1)


SPOKEN: Final = {"holm": "Holm", "spending": "alpha spending", "fallback": "online fallback"}


class Certificates(Quantity):
    """How often a history holds a certified record that is no better than the run it displaced.

    Runs come in one a day. All are the same, or the better half of them is and the others are as in the data.
    """

    name: ClassVar[str] = "certificates"
    title: ClassVar[str] = "Any false certificate in a history"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """One per rule and kind of history."""
        level = settings.policy.alpha
        kinds = {"same": "runs all the same", "half": "the better half the same"}
        return [
            Promise(key=f"{rule}_{key}", label=f"{SPOKEN[rule]}, {words}", kind="at most", level=level)
            for key, words in kinds.items()
            for rule in RECORD_RULES
        ]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """Whether each rule certifies a false record of one history of each kind."""
        runs = min(settings.runs, source.values.shape[1])
        boards = {
            "same": draw_board(source, queries, rng, runs=runs),
            "half": draw_board(source, queries, rng, runs=runs, equal=max(runs // 2, 2)),
        }
        return {
            f"{rule}_{key}": false
            for key, board in boards.items()
            for rule, false in self._false(board, rng, settings).items()
        }

    def _false(self, board: DrawnBoard, rng: np.random.Generator, settings: Settings) -> dict[str, bool]:
        scores = board.scores
        dated = [BoardRun(name=name, date=FIRST_DAY + timedelta(days=place)) for place, name in enumerate(scores.runs)]
        records = history(dated, dict(zip(scores.runs, scores.means.tolist(), strict=True)))
        p, is_false = [], []
        for record in records.records[1:]:
            old, new = scores.runs.index(str(record.displaced)), scores.runs.index(record.name)
            tested = record_test(
                scores.values[:, old],
                scores.values[:, new],
                method="sampled",  # as exact as the other, and the same time for any scores
                trials=settings.trials * 5,  # the levels of late records are small
                seed=drawn_seed(rng),
            )
            p.append(tested.p)
            is_false.append(bool(board.truth[new] <= board.truth[old] + SAME))
        return {
            rule: any(
                certified and false
                for certified, false in zip(
                    certify_records(p, settings.policy, rule=rule).certified, is_false, strict=True
                )
            )
            for rule in RECORD_RULES
        }
