"""What every output format has, and what it can ask of a result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from runoff.display.grid import Grid


class Showable(Protocol):
    """A result that can become text; `Shown` is the class to inherit from."""

    def grid(self) -> Grid:
        """The main table."""

    def grids(self) -> tuple[Grid, ...]:
        """Every table, the main one first."""

    def screen_grids(self) -> tuple[Grid, ...]:
        """The tables that go onto a screen of characters."""

    def paper_grids(self) -> tuple[Grid, ...]:
        """The tables that go into a paper."""

    def opening(self, width: int) -> tuple[str, ...]:
        """Paragraphs before the tables."""

    def to_dict(self) -> Mapping[str, object]:
        """The numbers at full precision under stable keys."""

    def own_formats(self) -> Mapping[str, Callable[[], str]]:
        """Formats that only such a result can be written in, by name."""


@dataclass(frozen=True, kw_only=True)
class Look:
    """How wide the text may be, and whether it may hold terminal colours; most formats need neither."""

    width: int = 80
    colour: bool = False


@dataclass(frozen=True, kw_only=True)
class Format:
    """One way to write a result: its name on the command line, its help, its file suffix and its function."""

    name: str
    help: str
    suffix: str
    render: Callable[[Showable, Look], str]
