"""Two shorter years of the demo, each simulated and analysed once in a test run; nobody changes their files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from runoff.simulation.year import YearConfig
from runoff.verbs.demo import DemoResult
from runoff.verbs.demo import demo as run_demo
from tests.once import made_once
from tests.verbs.undrawn import undrawn_charts

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

LONGER = YearConfig(public=1000, private=400, deep=45, judged=300)
"""The shortest year of seed 0 in which all that was planted is found, also with some queries more or less."""
SHORTER = YearConfig(public=60, private=80, deep=10, judged=50, seed=2)
"""A year in which two of the planted things are not found."""


class MadeDemo(NamedTuple):
    """A demo and what it said of its progress."""

    demo: DemoResult
    progress: list[tuple[int, int]]


def longer_demo(factory: pytest.TempPathFactory) -> DemoResult:
    """The charts of its report are not drawn, and those of the full size are."""

    def make(folder: Path) -> DemoResult:
        with undrawn_charts():
            return run_demo(folder / "demo", config=LONGER)

    return made_once(factory, "longer-demo", make)


def shorter_demo(factory: pytest.TempPathFactory) -> MadeDemo:
    """The charts of its report are not drawn."""

    def make(folder: Path) -> MadeDemo:
        seen: list[tuple[int, int]] = []
        with undrawn_charts():
            made = run_demo(folder / "demo", config=SHORTER, progress=lambda *counts: seen.append(counts))
        return MadeDemo(made, seen)

    return made_once(factory, "shorter-demo", make)
