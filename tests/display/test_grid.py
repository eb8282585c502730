from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from runoff.display.grid import DIGITS, Column, Grid, machine_name
from runoff.errors import UsageError

RUN = Column("run", "Run")
MEAN = Column("mean", "Mean", "number")
COUNT = Column("queries", "Queries", "count")


def test_values_become_plain_python():
    rows: list[list[Any]] = [[np.str_("a"), np.float64(0.1), np.int64(3)], ["b", float("nan"), None]]
    grid = Grid(title="T", columns=[RUN, MEAN, COUNT], rows=rows)
    assert grid.rows == (("a", 0.1, 3), ("b", None, None))
    assert [type(value) for value in grid.rows[0]] == [str, float, int]
    assert isinstance(grid.columns, tuple)
    assert isinstance(grid.notes, tuple)


def test_a_grid_cannot_be_changed(board):
    with pytest.raises(dataclasses.FrozenInstanceError):
        board.title = "other"


def test_equal_values_make_equal_grids():
    first, second = (Grid(title="T", columns=[MEAN], rows=[[float("nan")], [1.5]]) for _ in range(2))
    assert first == second


def test_values_of_a_column(board):
    assert board.values("queries") == (6980, 1200, 0)
    with pytest.raises(UsageError, match="no column 'missing'; the columns are run, mean"):
        board.values("missing")


@pytest.mark.parametrize(
    "columns, row, message",
    [
        ([RUN, MEAN], ["a"], "row 1: 1 values for 2 columns"),
        ([RUN, RUN], ["a", "b"], "two columns called 'run'"),
        ([], [], "no columns"),
        ([MEAN], ["0.5"], "'0.5' does not fit column 'mean' of kind 'number'"),
        ([MEAN], [True], "True does not fit"),
        ([COUNT], [1.5], "1.5 does not fit"),
        ([RUN], [5], "5 does not fit"),
        ([RUN], [b"a"], "cannot hold b'a' of type bytes"),
    ],
)
def test_what_does_not_fit_is_refused(columns, row, message):
    with pytest.raises(UsageError, match=message):
        Grid(title="T", columns=columns, rows=[row])


@pytest.mark.parametrize("name", ["", "RR", "rr@10", "1st", "a b", "rr\n"])
def test_column_names_are_for_programs(name):
    with pytest.raises(UsageError, match="not of the form"):
        Column(name, "Heading")


def test_text_has_no_best_and_kinds_are_known():
    with pytest.raises(UsageError, match="no best value"):
        Column("run", "Run", best="high")
    with pytest.raises(UsageError, match="expected one of text, number"):
        Column("run", "Run", "money")  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", DIGITS)
def test_places(kind):
    assert Column("a", "A", kind).places == DIGITS[kind]
    assert Column("a", "A", kind, digits=2).places == 2
    assert Column("a", "A", kind).is_numeric == (kind != "text")


@pytest.mark.parametrize(
    "label, name",
    [("RR@10", "rr_10"), ("RBP(p=0.8)@10", "rbp_p_0_8_10"), ("2nd", "c_2nd"), ("検索", "c"), ("  a  b ", "a_b")],
)
def test_machine_names(label, name):
    assert machine_name(label) == name
    assert Column(name, label).name == name
