"""A row's fields are the columns of its table and the keys of its JSON."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

import numpy as np
import pytest

from runoff.display.rows import column, each, ends, grid_of, plain, row_class, row_dict, row_of
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


@row_class
class Wide:
    name: str = column("Name")
    ci95: tuple[float, float] | None = ends("low", "95% from", "high", "to", "number", digits=2)
    means: dict[str, float] = each("number", name="mean_{}", heading="Mean {}", key=False)
    team: str | None = column("Team", optional=True)
    day: date = column("Day", key=False)


DAY = date(2026, 1, 2)
ROWS = [Wide("a", (0.1, 0.9), {"RR@10": 0.5, "AP": 0.25}, None, DAY), Wide("b", None, {"RR@10": 1.0}, "", DAY)]


def test_intervals_are_two_columns_and_mappings_a_column_per_key():
    grid = grid_of(Wide, ROWS, title="T", means=lambda key: {"best": "low" if key == "AP" else "high"})
    assert [(one.name, one.heading, one.best) for one in grid.columns] == [
        ("name", "Name", None),
        ("low", "95% from", None),
        ("high", "to", None),
        ("mean_rr_10", "Mean RR@10", "high"),
        ("mean_ap", "Mean AP", "low"),
        ("day", "Day", None),
    ]
    assert grid.rows == (
        ("a", 0.1, 0.9, 0.5, 0.25, "2026-01-02"),
        ("b", None, None, 1.0, None, "2026-01-02"),
    )


def test_an_optional_column_is_there_where_one_row_has_a_value():
    assert grid_of(Wide, [*ROWS, replace(ROWS[0], team="T")], title="T").values("team") == (None, "", "T")


def test_columns_of_keys_that_would_have_the_same_name_are_numbered():
    grid = grid_of(Wide, [replace(ROWS[0], means={"a b": 1.0, "a_b": 2.0})], title="T")
    assert [one.name for one in grid.columns][3:5] == ["mean_1", "mean_2"]


def test_keys_without_those_that_are_columns_alone():
    assert row_dict(ROWS[0]) == {"name": "a", "ci95": [0.1, 0.9], "team": None}
    assert row_dict(ROWS[0], without=["team"]) == {"name": "a", "ci95": [0.1, 0.9]}
    assert row_dict(ROWS[0], "day", "name") == {"day": "2026-01-02", "name": "a"}
    with pytest.raises(AttributeError, match="nothing"):
        row_dict(ROWS[0], "nothing")


def test_values_as_json_holds_them():
    assert plain({"values": np.array([np.nan, 1.0]), "day": DAY}) == {"values": [None, 1.0], "day": "2026-01-02"}


def test_a_row_of_other_objects_takes_their_attributes_by_name():
    assert row_of(Line, Inner(low=0.1, high=0.9), run="a", mean=0.5) == Line(run="a", mean=0.5)
    assert row_of(Wide, ROWS[0], ROWS[1], name="c") == replace(ROWS[0], name="c")
    with pytest.raises(AttributeError, match="mean"):
        row_of(Line, run="a")
