"""The data of a board: scores and SERPs of its runs, read once, for everything that is computed from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from runoff.comparisons.options import CompareOptions
from runoff.errors import UsageError
from runoff.measures import Measure
from runoff.results.fit import Fit
from runoff.tables.board import Board, BoardRun
from runoff.tables.memory import Scratch
from runoff.tables.scores import Scores, slabs
from runoff.tables.serps import Serps
from runoff.verdicts import Policy


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardData:
    """Runs scored on the same queries and labels, under the names of the board.

    runs      in the order of the board
    scores    one column per run, in the same order
    measure   what they are scores of; None where a matrix does not say
    serps     one per run; None where there are only scores, or a measure of ir_measures
    compared  depth, relevance level and gains of the comparisons
    tie_rule  None where there are only scores
    scratch   where scores and SERPs are stored that are too large for memory; None if they are in memory
    source    what was read, so that a report can read it again: a `Board`, or runs by name; None for scores alone
    """

    title: str
    runs: tuple[BoardRun, ...]
    scores: Scores
    measure: Measure | None
    compared: CompareOptions
    policy: Policy
    serps: tuple[Serps, ...] | None = None
    tie_rule: str | None = None
    scratch: Scratch | None = None
    source: Board | Mapping[str, Any] | None = None

    @property
    def best_is_low(self) -> bool:
        """Whether a low score is good."""
        return self.measure is not None and self.measure.best == "low"

    @property
    def has_differences(self) -> bool:
        """Whether there are two runs and two queries at least, and two of the runs differ somewhere."""
        values = self.scores.values
        return min(values.shape) >= 2 and any(np.ptp(slab, axis=1).any() for slab in slabs(values))

    @cached_property
    def means(self) -> dict[str, float]:
        """The mean of each run, by name."""
        return dict(zip(self.scores.runs, self.scores.means.tolist(), strict=True))

    @property
    def metadata(self) -> dict[str, dict[str, Any]]:
        """The ir_metadata of each run that has any, by name."""
        return {run.name: dict(run.metadata) for run in self.runs if run.metadata}

    @cached_property
    def fits(self) -> tuple[Fit, ...]:
        """How the runs fit the labels; empty where ranked lists are not known."""
        return tuple(Fit.of_serps(one) for one in self.serps or ())

    def serps_of(self, name: str) -> Serps:
        """The SERPs of a run."""
        if self.serps is None:
            raise UsageError("this board has scores alone; expected ranked lists; make it from runs and qrels")
        return self.serps[self.scores.runs.index(name)]


def check_defined(values: np.typing.NDArray[np.float64], measure: str, where: str = "") -> None:
    """Refuse scores, queries x runs, of which some are undefined; `where` says which queries and labels they have."""
    undefined = sum(int(np.isnan(slab).any(axis=1).sum()) for slab in slabs(values))
    if undefined:
        raise UsageError(
            f"{measure} is undefined for {undefined:,} of {len(values):,} queries{f' ({where})' if where else ''}; "
            "expected a measure that is defined for all; choose another, such as RR@10"
        )
