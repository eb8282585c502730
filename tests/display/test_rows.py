"""A row's fields are the columns of its table and the keys of its JSON."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from runoff.display.rows import column, grid_of, row_dict
from runoff.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Inner:
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Line:
    run: str = column("Run")
    mean: float = column("Mean", "number", best="high", digits=3, help="Mean over queries.")
    ci95: Inner | None = column("95%", cell=lambda ci: f"{ci.low} to {ci.high}", default=None)
    seed: int = 0


def test_columns_come_in_the_order_of_the_fields():
    grid = grid_of(Line, [Line(run="a", mean=0.5, ci95=Inner(low=0.1, high=0.9)), Line(run="b", mean=0.25)], title="T")
    assert [(one.name, one.heading, one.kind, one.places) for one in grid.columns] == [
        ("run", "Run", "text", 0),
        ("mean", "Mean", "number", 3),
        ("ci95", "95%", "text", 0),
    ]
    assert grid.columns[1].best == "high"
    assert grid.columns[1].help == "Mean over queries."
    assert grid.rows == (("a", 0.5, "0.1 to 0.9"), ("b", 0.25, None))


def test_columns_can_be_left_out_and_renamed():
    grid = grid_of(Line, [Line(run="a", mean=0.5)], title="T", without=["ci95"], headings={"mean": "RR@10"})
    assert [one.heading for one in grid.columns] == ["Run", "RR@10"]


@pytest.mark.parametrize("settings", [{"without": ["seed"]}, {"headings": {"other": "Other"}}])
def test_a_column_that_is_not_there_is_an_error(settings):
    with pytest.raises(UsageError, match=r"Line has no column .*; its columns are run, mean, ci95"):
        grid_of(Line, [], title="T", **settings)


def test_keys_are_all_fields_and_plain():
    line = Line(run="a", mean=np.float64(0.5), ci95=Inner(low=0.1, high=0.9))
    assert row_dict(line) == {"run": "a", "mean": 0.5, "ci95": {"low": 0.1, "high": 0.9}, "seed": 0}
    assert type(row_dict(line)["mean"]) is float
