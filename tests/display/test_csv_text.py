from __future__ import annotations

import csv
import io
import math

from hypothesis import given
from hypothesis import strategies as st

from runoff.display.csv_text import render_csv
from runoff.display.grid import Column, Grid, Value
from runoff.files.csv_cells import text_of_cell

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def test_golden(board):
    assert render_csv(board) == (
        "run,mean,difference,queries,answered,p\n"
        "birch,0.412345678,0.1,6980,0.9,2.5e-05\n"
        "bm25_v2,0.312345678,-0.05,1200,0.657,0.0499\n"
        "empty,,,0,,\n"
    )


def test_quoting():
    columns = [Column("name", "Name"), Column("flag", "Flag")]
    rows: list[list[Value]] = [
        ["a,b", True],
        ['say "hi"', False],
        ["two\nlines", None],
        ["cr\r", True],
        [" plain ", True],
    ]
    assert render_csv(Grid(title="", columns=columns, rows=rows)) == (
        'name,flag\n"a,b",true\n"say ""hi""",false\n"two\nlines",\n"cr\r",true\n plain ,true\n'
    )


def test_infinity_is_kept():
    grid = Grid(title="", columns=[Column("a", "A", "number")], rows=[[math.inf], [-math.inf]])
    assert render_csv(grid) == "a\ninf\n-inf\n"


def test_no_rows():
    assert render_csv(Grid(title="", columns=[Column("a", "A")], rows=[])) == "a\n"


@given(st.lists(st.tuples(TEXT, st.none() | st.floats(allow_nan=False), st.none() | st.integers()), max_size=8))
def test_every_value_comes_back(rows):
    columns = [Column("name", "Name"), Column("value", "Value", "number"), Column("size", "Size", "count")]
    text = render_csv(Grid(title="", columns=columns, rows=rows))
    head, *lines = csv.reader(io.StringIO(text, newline=""))
    assert head == ["name", "value", "size"]
    back = [
        (text_of_cell(name), float(value) if value else None, int(size) if size else None)
        for name, value, size in lines
    ]
    assert back == rows
    # -0.0 == 0.0, so compare the signs too.
    signs = [math.copysign(1, value) for _, value, _ in back if value is not None]
    assert signs == [math.copysign(1, value) for _, value, _ in rows if value is not None]


@given(st.lists(st.none() | TEXT))
def test_a_single_column_keeps_its_rows(values):
    text = render_csv(Grid(title="", columns=[Column("name", "Name")], rows=[[value] for value in values]))
    _, *lines = csv.reader(io.StringIO(text, newline=""))
    assert [[text_of_cell(cell) for cell in line] for line in lines] == [[value or ""] for value in values]
