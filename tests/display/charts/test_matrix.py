"""Matrices of runs: cells that fit the sheet, and text that fits the page."""

import pytest
from rich.cells import cell_len

from runoff.comparisons import relations_of_all
from runoff.display.charts import SHEETS, RelationGrid, VerdictMatrix
from runoff.display.charts._style import Style
from tests.display.charts.examples import names, verdict_order_of


def axes(chart):
    return chart.spec()["layer"][0]["encoding"]


@pytest.mark.parametrize("size", SHEETS)
@pytest.mark.parametrize("count", [1, 2, 12, 60])
def test_a_square_fits_the_sheet(size, count):
    style = Style(size=size)
    chart = VerdictMatrix(verdict_order_of(["long " * 20 + name for name in names(count)])).in_style(size=size)
    labels = axes(chart)["y"]["scale"]["domain"]
    assert chart.spec()["width"] + max(map(style.text_width, labels)) <= style.sheet.width
    assert chart.spec()["height"] >= count * style.sheet.font
    assert len(set(labels)) == count
    assert axes(chart)["x"]["scale"]["domain"] == list(range(1, count + 1))


def test_columns_are_numbered_where_there_is_room():
    assert "values" not in axes(VerdictMatrix(verdict_order_of(names(8))))["x"]["axis"]
    many = axes(VerdictMatrix(verdict_order_of(names(60))))["x"]["axis"]
    assert many["values"] == [1, 10, 20, 30, 40, 50, 60]


@pytest.mark.parametrize("depth, angle, named", [(3, 0, None), (5, -90, None), (6, -90, 9)])
def test_names_of_columns_are_turned_and_then_thinned(depth, angle, named):
    axis = axes(RelationGrid(relations_of_all(depth)))["x"]["axis"]
    assert axis["labelAngle"] == angle
    assert len(axis["values"]) == named if named else "values" not in axis


@pytest.mark.parametrize("width", [20, 40, 80])
def test_columns_beyond_the_page_are_left_out(width):
    lines = VerdictMatrix(verdict_order_of(names(60))).text_lines(width)
    assert max(map(cell_len, lines)) <= width
    assert len(lines) == 61 if width < 75 else len(lines) == 60
