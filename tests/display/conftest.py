"""Results that every format is tried on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from runoff.display import Column, Grid, Shown
from runoff.display.grid import Value

COLUMNS = (
    Column("run", "Run", help="Name of the run."),
    Column("mean", "RR@10", "number", best="high", help="Mean reciprocal rank."),
    Column("difference", "Difference", "number", signed=True),
    Column("queries", "Queries", "count"),
    Column("answered", "Answered", "share", best="high"),
    Column("p", "p", "p", best="low"),
)


@dataclass(frozen=True)
class SampleResult(Shown):
    """A result whose tables are given."""

    tables: Sequence[Grid]
    content: dict[str, object] = field(default_factory=dict)

    def grid(self) -> Grid:
        return self.tables[0]

    def grids(self) -> tuple[Grid, ...]:
        return tuple(self.tables)

    def to_dict(self) -> dict[str, object]:
        return self.content


def grid_of(*rows: Sequence[Value], title: str = "Runs", notes: Sequence[str] = ("All 6,980 queries.",)) -> Grid:
    return Grid(title=title, columns=COLUMNS, rows=rows, notes=notes)


@pytest.fixture
def board() -> Grid:
    """Two ordinary rows and one that is mostly undefined."""
    return grid_of(
        ["birch", 0.412345678, 0.1, 6980, 0.9, 2.5e-5],
        ["bm25_v2", 0.312345678, -0.05, 1200, 0.657, 0.0499],
        ["empty", float("nan"), None, 0, None, None],
    )


@pytest.fixture
def hostile() -> Grid:
    """Names that try to become markup."""
    return grid_of(
        ['<script>alert("x")</script>', 0.1, 0.0, 1, 0.5, 0.5],
        ["\\ & % $ # _ { } ~ ^", 0.2, 0.0, 2, 0.5, 0.5],
        ["[bold]red[/bold] :smile:", 0.3, 0.0, 3, 0.5, 0.5],
        ["\x1b[2Jgone\nnext\u202eline", 0.4, 0.0, 4, 0.5, 0.5],
        ['comma, "quote"\r', 0.5, 0.0, 5, 0.5, 0.5],
        ["検索-søk-поиск-🔍", 0.6, 0.0, 6, 0.5, 0.5],
        ["[1] first", 0.7, 0.0, 7, 0.5, 0.5],
        ["* starred --flag", 0.8, 0.0, 8, 0.5, 0.5],
        ["", 0.9, 0.0, 9, 0.5, 0.5],
        title="Names </caption> & 100%",
        notes=["A note with <b>markup</b> & 5% of it."],
    )


@pytest.fixture
def result_of():
    """Makes a result of some tables."""

    def make(*grids: Grid, **content: object) -> SampleResult:
        return SampleResult(grids, content)

    return make


@pytest.fixture
def rows_of():
    """Makes a board of any number of rows."""

    def make(count: int) -> Grid:
        rows: list[list[Value]] = [
            ["run-" + "x" * (at % 40), at / count, -at / 7, at * 1000, at / count, 1.0] for at in range(count)
        ]
        return grid_of(*rows)

    return make
