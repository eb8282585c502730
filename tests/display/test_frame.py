from __future__ import annotations

import polars as pl
import pytest

from runoff.display.frame import to_frame
from runoff.display.grid import Column, Grid


def test_golden(board):
    frame = to_frame(board)
    assert frame.schema == {
        "run": pl.String,
        "mean": pl.Float64,
        "difference": pl.Float64,
        "queries": pl.Int64,
        "answered": pl.Float64,
        "p": pl.Float64,
    }
    assert frame.rows() == list(board.rows)


@pytest.mark.parametrize(
    "values, dtype, read",
    [
        ([True, None, False], pl.Boolean, [True, None, False]),
        (["a", True, None], pl.String, ["a", "true", None]),
        ([None], pl.String, [None]),
        ([], pl.String, []),
    ],
)
def test_text(values, dtype, read):
    series = to_frame(Grid(title="", columns=[Column("a", "A")], rows=[[value] for value in values]))["a"]
    assert series.dtype == dtype
    assert series.to_list() == read


def test_whole_numbers_in_a_number_column_become_floats():
    frame = to_frame(Grid(title="", columns=[Column("a", "A", "number")], rows=[[1], [0.5]]))
    assert frame["a"].to_list() == [1.0, 0.5]


def test_no_rows_keep_their_types(board):
    empty = Grid(title="", columns=board.columns, rows=[])
    assert to_frame(empty).schema == to_frame(board).schema
