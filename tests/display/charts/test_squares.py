"""Squares of runs: cells that fit the sheet, and text that fits the page."""

import pytest
from rich.cells import cell_len

from runoff.display.charts._squares import Square, square_text
from runoff.display.charts._style import SHEETS, Style
from tests.display.charts.examples import names


@pytest.mark.parametrize("size", SHEETS)
@pytest.mark.parametrize("count", [1, 2, 12, 60])
def test_a_square_fits_the_sheet(size, count):
    style = Style(size=size)
    square = Square.of(["long " * 20 + name for name in names(count)], style)
    beside = max(map(style.text_width, square.labels))
    assert square.size["width"] + beside <= style.sheet.width
    assert square.cell[1] >= style.sheet.font
    assert len(set(square.labels)) == count
    assert square.x("Column")["scale"]["domain"] == list(range(1, count + 1))


def test_columns_are_numbered_where_there_is_room():
    assert "values" not in Square.of(names(8), Style()).x("Column")["axis"]
    assert Square.of(names(60), Style()).x("Column")["axis"]["values"] == [1, 10, 20, 30, 40, 50, 60]


@pytest.mark.parametrize("width", [20, 40, 80])
def test_columns_beyond_the_page_are_left_out(width):
    lines = square_text(names(60), ["+" * 60] * 60, width)
    assert max(map(cell_len, lines)) <= width
    assert len(lines) == 61 if width < 75 else len(lines) == 60
