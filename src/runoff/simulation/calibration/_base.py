"""The contract of a calibrated quantity: draw one board whose truth is known, and say which promises it broke."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

import numpy as np

from runoff.errors import UsageError
from runoff.simulation.calibration._source import DrawnBoard, Source, draw_board, draw_copies
from runoff.verdicts import Policy, PromiseKind

Seen = Mapping[str, float | bool | None]
"""Per line of a quantity, what one board showed: a yes or no, or a number; None where the board does not count."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How the statements are made that are calibrated.

    policy  the level and the tests of the verdicts
    trials  samples of every bootstrap and randomization; fewer than usual, since there are many boards
    runs    the most runs on a board
    """

    policy: Policy = field(default_factory=Policy)
    trials: int = 400
    runs: int = 8

    def __post_init__(self) -> None:
        for name, low in (("trials", 39), ("runs", 2)):
            if getattr(self, name) < low:
                raise UsageError(f"{name}={getattr(self, name)} cannot be used; expected {low} or more")


@dataclass(frozen=True, kw_only=True)
class Promise:
    """One promise of a quantity.

    key       its stable name within the quantity
    label     what is stated, and of what boards
    kind      what is promised: at most, at least, zero, or none
    level     the promised share
    promised  whether runoff promises it; a line that is not shows by how much a classic test is off where it promises
              something else
    """

    key: str
    label: str
    kind: PromiseKind
    level: float | None = None
    promised: bool = True


def promises(
    kind: PromiseKind, level: float | None, labels: Mapping[str, str], *, promised: bool = True
) -> list[Promise]:
    """A promise per key and label."""
    return [Promise(key=key, label=label, kind=kind, level=level, promised=promised) for key, label in labels.items()]


class Quantity(ABC):
    """What every quantity has; a listed one sets the facts and defines `lines` and `observe`.

    name         its stable name; it also names the random stream, so leaving others out changes nothing
    title        what is calibrated, in a few words
    needs_serps  whether it needs ranked lists, and not scores alone
    """

    name: ClassVar[str]
    title: ClassVar[str]
    needs_serps: ClassVar[bool] = False

    @abstractmethod
    def lines(self, settings: Settings) -> Sequence[Promise]:
        """The promises, in the order of display."""

    @abstractmethod
    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """Draw one board with this number of queries and see which promises it keeps."""


def drawn_seed(rng: np.random.Generator) -> int:
    """A seed for what is calibrated, so that its samples differ from board to board."""
    return int(rng.integers(2**31))


TRUTHS: Final = {
    "same": "runs all the same",
    "near": "runs nearly the same",
    "copies": "near-copies of one run, all the same",
    "half": "the better half the same",
    "data": "runs as in the data",
}
"""Each kind with its words."""
ALIKE: Final = frozenset({"same", "copies"})
"""The kinds in which all runs truly tie."""
NEAR: Final = 0.9
"""The share of queries in which the scores of nearly equal runs are dealt out again."""


def drawn(source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> dict[str, DrawnBoard]:
    """One board of each kind."""
    runs = min(settings.runs, source.values.shape[1])
    return {
        "same": draw_board(source, queries, rng, runs=runs),
        "near": draw_board(source, queries, rng, runs=runs, share=NEAR),
        "copies": draw_copies(source, queries, rng, runs=runs),
        "half": draw_board(source, queries, rng, runs=runs, equal=max(runs // 2, 2)),
        "data": draw_board(source, queries, rng, runs=runs, equal=0),
    }
