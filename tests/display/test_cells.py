from __future__ import annotations

import math

import pytest

from runoff.display.grid import (
    Column,
    Grid,
    ShownCell,
    best_cells,
    cell_text,
    legend_of,
    raised,
    shown_columns,
    shown_rows,
    visible,
)
from runoff.errors import UsageError

NUMBER = Column("a", "A", "number")
SHARE = Column("a", "A", "share")
NEEDED = Column("needed", "Needed", "count", is_needed=True)
P = Column("a", "A", "p")
TEXT = Column("a", "A")


@pytest.mark.parametrize(
    "column, value, text",
    [
        (NUMBER, 0.12345, "0.1235"),
        (NUMBER, 1, "1.0000"),
        (NUMBER, -0.00001, "0.0000"),
        (NUMBER, 1234567.5, "1,234,567.5000"),
        (NUMBER, math.inf, "∞"),
        (NUMBER, -math.inf, "-∞"),
        (NUMBER, None, "–"),
        (Column("a", "A", "number", digits=1), 2.25, "2.2"),
        (Column("a", "A", "number", signed=True), 0.5, "+0.5000"),
        (Column("a", "A", "number", signed=True), -0.5, "-0.5000"),
        (Column("a", "A", "count"), 1234567, "1,234,567"),
        (Column("a", "A", "count", signed=True), 1000, "+1,000"),
        (Column("a", "A", "count"), 10**400, f"{10**400:,}"),
        (SHARE, 0.6574, "65.7%"),
        (SHARE, 1, "100.0%"),
        (Column("a", "A", "share", digits=2), 0.67081, "67.08%"),
        (P, 0.0499, "0.0499"),
        (P, 0.0001, "≤0.0001"),
        (NEEDED, 999_999, "999,999"),
        (NEEDED, 10**12, "more than a million"),
        (P, 0.00009999, "<0.0001"),
        (P, 0.0, "<0.0001"),
        (P, 1.0, "1.0000"),
        (Column("a", "A", "p", digits=2), 0.004, "<0.01"),
        (TEXT, True, "yes"),
        (TEXT, False, "no"),
        (TEXT, None, "–"),
        (TEXT, "", ""),
    ],
)
def test_cell_text(column, value, text):
    assert cell_text(column, value) == text


@pytest.mark.parametrize(
    "text, shown",
    [
        ("søk 検索 🔍", "søk 検索 🔍"),
        ("a\tb\nc", "a\\tb\\nc"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\x9b31m", "\\x9b31m"),
        ("abc\u202ecba", "abc\\u202ecba"),
        ("\ud800", "\\ud800"),
        ("no\u00a0break", "no\u00a0break"),
    ],
)
def test_visible(text, shown):
    assert visible(text) == shown


def best(values, end):
    grid = Grid(title="", columns=[Column("a", "A", "number", best=end)], rows=[[value] for value in values])
    return sorted(row for row, _ in best_cells(grid))


@pytest.mark.parametrize(
    "values, high, low",
    [
        ([0.1, 0.3, 0.2], [1], [0]),
        ([0.3, 0.1, 0.3], [0, 2], [1]),
        ([0.30001, 0.30002, 0.1], [0, 1], [2]),
        ([0.1 + 0.2, 0.3], [], []),
        ([0.5], [], []),
        ([None, 0.5], [], []),
        ([None, 0.5, 0.4], [1], [2]),
        ([None, None], [], []),
        ([math.inf, 1.0], [0], [1]),
        ([], [], []),
    ],
)
def test_best_cells(values, high, low):
    assert best(values, "high") == high
    assert best(values, "low") == low


def test_only_columns_that_ask_have_a_best():
    grid = Grid(title="", columns=[NUMBER], rows=[[0.1], [0.2]])
    assert best_cells(grid) == frozenset()


def test_shown_rows(board):
    assert [cell.text for cell in shown_rows(board)[1]] == ["bm25_v2", "0.3123", "-0.0500", "1,200", "65.7%", "0.0499"]


def attached(*rows):
    return Grid(
        title="Systems",
        columns=[
            Column("letter", "Letter", attached="label", to="system"),
            Column("system", "System"),
            Column("ap", "AP", "number", best="high"),
            Column("ap_sd", "sd", "number", digits=2, attached="spread", to="ap"),
            Column("ap_marks", "marks", attached="mark", to="ap"),
        ],
        rows=rows,
        legend="A legend.",
    )


def test_columns_that_are_part_of_another_one():
    grid = attached(["a", "bm25", 0.2, None, ""], [None, "dense", 0.3, 0.01, "ab"])
    assert [column.name for column in shown_columns(grid)] == ["system", "ap"]
    first, second = shown_rows(grid)
    assert first == [ShownCell(text="(a) bm25"), ShownCell(text="0.2000")]
    assert second == [ShownCell(text="dense"), ShownCell(text="0.3000", marks="ab", spread="0.01", is_best=True)]
    assert legend_of(grid) == "Best in bold. A legend."
    assert legend_of(attached(["a", "bm25", 0.2, None, ""])) == "A legend."
    assert raised("ah†") == "ᵃʰ†"


def test_a_part_needs_its_column():
    with pytest.raises(UsageError, match=r"column 'sd' of grid 'S' is attached to no column of it; name one"):
        Grid(
            title="S",
            columns=[Column("ap", "AP", "number"), Column("sd", "sd", "number", attached="spread", to="rr")],
            rows=[],
        )
