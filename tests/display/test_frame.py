from __future__ import annotations

import sys

import polars as pl
import pytest

from runoff.display.frame import to_frame, to_pandas
from runoff.display.grid import Column, Grid
from runoff.errors import MissingExtraError


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


def test_pandas(board):
    frame = to_pandas(board)
    assert dict(frame.dtypes.astype(str)) == {
        "run": "object",
        "mean": "float64",
        "difference": "float64",
        "queries": "Int64",
        "answered": "float64",
        "p": "float64",
    }
    assert frame["run"].tolist() == ["birch", "bm25_v2", "empty"]
    assert frame["mean"].fillna(-1).tolist() == [0.412345678, 0.312345678, -1]
    assert frame["queries"].tolist() == [6980, 1200, 0]


def test_pandas_has_missing_counts_and_texts():
    columns = [Column("a", "A"), Column("n", "N", "count")]
    frame = to_pandas(Grid(title="", columns=columns, rows=[["x", 3], [None, None]]))
    assert frame["a"].tolist() == ["x", None]
    assert frame["n"].isna().tolist() == [False, True]


def test_without_pandas(board, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'runoff\[pandas\]'"):
        to_pandas(board)
