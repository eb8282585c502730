"""A row's fields are the columns of its table and the keys of its JSON."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np
import pytest

from runoff.display import Column
from runoff.display.rows import column, grid_at, grid_of, keys_of, row_dict, value_at
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
    grid = grid_of(Line, [Line(run="a", mean=0.5)], title="T", without=["ci95"], mean="RR@10")
    assert [one.heading for one in grid.columns] == ["Run", "RR@10"]


@pytest.mark.parametrize("settings", [{"without": ["seed"]}, {"other": "Other"}])
def test_a_column_that_is_not_there_is_an_error(settings):
    with pytest.raises(UsageError, match=r"Line has no column .*; its columns are run, mean, ci95"):
        grid_of(Line, [], title="T", **settings)


def test_keys_are_all_fields_and_plain():
    line = Line(run="a", mean=np.float64(0.5), ci95=Inner(low=0.1, high=0.9))
    assert row_dict(line) == {"run": "a", "mean": 0.5, "ci95": {"low": 0.1, "high": 0.9}, "seed": 0}
    assert type(row_dict(line)["mean"]) is float


@dataclass(frozen=True)
class Source:
    names: dict[str, str]
    day: date
    ci95: tuple[float, float] | None = None


DAY = date(2026, 1, 2)
COLUMNS = {
    "names.run": Column("run", "Run"),
    "day": Column("day", "Day"),
    "ci95.0": Column("low", "From", "number"),
}


def test_a_table_of_other_objects_has_the_values_at_its_paths():
    grid = grid_at([Source({"run": "a"}, DAY, (0.1, 0.9)), Source({"run": "b"}, DAY)], COLUMNS, title="T")
    assert grid.columns == tuple(COLUMNS.values())
    assert grid.rows == (("a", "2026-01-02", 0.1), ("b", "2026-01-02", None))


def test_a_path_that_is_not_there_is_an_error():
    with pytest.raises(AttributeError, match="hours"):
        value_at(Source({}, DAY), "day.hours")
    with pytest.raises(KeyError, match="run"):
        grid_at([Source({}, DAY)], COLUMNS, title="T")


def test_keys_by_name_and_by_path_in_their_order():
    source = Source({"run": "a"}, DAY, (float("nan"), 0.9))
    keys = keys_of(source, "ci95 name=names.run day")
    assert keys == {"ci95": [None, 0.9], "name": "a", "day": "2026-01-02"}
    assert list(keys) == ["ci95", "name", "day"]
    assert keys_of({"values": np.array([np.nan, 1.0])}, "values") == {"values": [None, 1.0]}
