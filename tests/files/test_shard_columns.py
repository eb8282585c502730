"""Columns of any type as ids and numbers, and their faults by row."""

import numpy as np
import polars as pl
import pytest

from runoff.files.problems import Problems
from runoff.files.shard_columns import id_column, id_series, number_column


@pytest.mark.parametrize(
    "series",
    [
        pl.Series(["7", "12", "é"]),
        pl.Series(["7", "12", "é"], dtype=pl.Categorical),
        pl.Series(["7", "12", "é"], dtype=pl.Enum(["é", "12", "7"])),
        pl.Series([b"7", b"12", "é".encode()]),
    ],
)
def test_ids_as_text(series):
    problems = Problems()
    assert list(id_column(series, "query", problems, 0)) == ["7", "12", "é"]
    assert problems.total == 0


@pytest.mark.parametrize("kind", [pl.Int64, pl.Int16, pl.UInt64, pl.UInt8])
def test_whole_numbers_as_ids(kind):
    assert list(id_column(pl.Series([7, 12], dtype=kind), "query", Problems(), 0)) == ["7", "12"]


def test_what_cannot_be_an_id():
    problems = Problems()
    id_column(pl.Series(["a", None, "", "b\tc", "d", "\x00"]), "document", problems, 10)
    assert [(one.line, one.text[:22]) for one in problems.in_order()] == [
        (12, "document is missing; e"), (13, "document '' cannot be "), (14, "document 'b\\tc' cannot"),
        (16, "document '\\x00' cannot"),
    ]  # fmt: skip
    assert id_series(pl.Series([1.5])) is None
    odd = Problems()
    assert len(id_column(pl.Series([1.5, 2.5]), "query", odd, 0)) == 2
    assert odd.total == 2


@pytest.mark.parametrize("kind", [pl.Float64, pl.Float32, pl.Int64, pl.UInt8])
def test_numbers(kind):
    numbers = number_column(pl.Series([3, 0], dtype=kind), "score", Problems(), 0)
    assert numbers.dtype == np.float64
    assert numbers.tolist() == [3.0, 0.0]


def test_what_is_no_number():
    problems = Problems()
    number_column(pl.Series([1.0, None, float("nan"), float("inf")]), "score", problems, 0)
    assert [one.text.partition(";")[0] for one in problems.in_order()] == [
        "score is missing", "score 'nan' is not a finite number", "score 'inf' is not a finite number",
    ]  # fmt: skip
    texts = Problems()
    number_column(pl.Series(["1.0"]), "score", texts, 4)
    assert texts.in_order()[0].line == 5
