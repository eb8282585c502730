from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from runoff.display import Look, Shown
from runoff.display.grid import Column, Grid, shown_rows, visible
from runoff.display.table_text import GAP, _needs, fold, render_result, render_text, wrapped

GOLDEN = """\
Runs

Run       RR@10  Difference  Queries  Answered        p
───────────────────────────────────────────────────────
birch    0.4123     +0.1000    6,980     90.0%  <0.0001
bm25_v2  0.3123     -0.0500    1,200     65.7%   0.0499
empty         –           –        0         –        –

All 6,980 queries.
"""

FOLDED = """\
Runs

Run       RR@10  Difference
───────────────────────────
birch    0.4123     +0.1000
bm25_v2  0.3123     -0.0500
empty         –           –

Run      Queries  Answered
──────────────────────────
birch      6,980     90.0%
bm25_v2    1,200     65.7%
empty          0         –

Run            p
────────────────
birch    <0.0001
bm25_v2   0.0499
empty          –

All 6,980 queries.
"""


def test_golden(board):
    assert render_text(board) == GOLDEN
    assert render_text(board, width=55) == GOLDEN


def test_a_wide_board_is_folded(board):
    assert render_text(board, width=30) == FOLDED


def test_long_names_and_headings_are_wrapped_before_folding():
    columns = [Column("run", "Run"), Column("a", "A long heading of words", "number")]
    text = render_text(Grid(title="", columns=columns, rows=[["name-" * 8, 0.5]]), width=31)
    assert text == (
        "                         A long\n"
        "                        heading\n"
        "                             of\n"
        "Run                       words\n"
        "───────────────────────────────\n"
        "name-name-name-name-na   0.5000\n"
        "me-name-name-name-\n"
    )
    assert max(map(len, text.splitlines())) <= 31


def test_colour_marks_the_best_and_plain_text_has_no_codes(board):
    colour = render_text(board, colour=True)
    assert "\x1b[1m0.4123\x1b[0m" in colour
    assert "\x1b[1m0.3123" not in colour
    assert "\x1b" not in render_text(board)


def test_the_environment_changes_nothing(board, monkeypatch):
    before = [render_text(board, colour=colour) for colour in (False, True)]
    for name, value in {"NO_COLOR": "1", "FORCE_COLOR": "1", "COLUMNS": "20", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    assert [render_text(board, colour=colour) for colour in (False, True)] == before


def test_hostile_names_are_shown_as_they_are(hostile):
    text = render_text(hostile, width=200)
    assert "[bold]red[/bold] :smile:" in text
    assert "\\x1b[2Jgone\\nnext\\u202eline" in text
    assert "検索-søk-поиск-🔍" in text
    assert "\x1b" not in text
    assert len(text.splitlines()) == 2 + 2 + len(hostile.rows) + 2


@pytest.mark.parametrize("width", [1, 20, 40, 80, 200])
def test_nothing_is_cut_off(rows_of, width):
    grid = rows_of(150)
    text = render_text(grid, width=width)
    assert "…" not in text
    for value in ("0.9933", "149,000", "99.3%", "-21.2857"):
        assert value in text
    if width >= 40:
        assert max(map(len, text.splitlines())) <= width


def test_no_rows():
    text = render_text(Grid(title="Nothing", columns=[Column("a", "Heading", "count")], rows=[], notes=["Why."]))
    assert text == "Nothing\n\nHeading\n───────\n(no rows)\n\nWhy.\n"


def test_wide_characters_are_aligned():
    columns = [Column("run", "Run"), Column("n", "N", "count")]
    text = render_text(Grid(title="", columns=columns, rows=[["検索", 1], ["søk", 2]]))
    assert text == "Run   N\n───────\n検索  1\nsøk   2\n"


def test_a_long_name_in_a_heading_is_broken_so_that_the_page_holds():
    columns = [Column("what", "What"), Column("one", "x" * 130, "number"), Column("two", f"For {'y' * 50}", "count")]
    grid = Grid(title="Runs", columns=columns, rows=[["RR@10", 0.5, 3]])
    for width in (40, 60, 80):
        text = render_text(grid, width=width)
        assert max(map(len, text.splitlines())) <= width
        assert text.count("x") == 130
        assert text.count("y") == 50


class Paper(Shown):
    """Some paragraphs and tables."""

    def __init__(self, paragraphs: list[str], tables: list[Grid]) -> None:
        self.paragraphs = paragraphs
        self.tables = tables

    def grid(self) -> Grid:
        return self.tables[0]

    def grids(self) -> tuple[Grid, ...]:
        return tuple(self.tables)

    def opening(self, width: int) -> tuple[str, ...]:
        return tuple(self.paragraphs)

    def to_dict(self) -> dict[str, object]:
        return {}


def test_paragraphs_before_tables(board):
    text = render_result(Paper(["One \x1b[2J word " * 9, "a\nb"], [board, board]), Look(width=50))
    first, lines, *tables = text.split("\n\n")
    assert max(map(len, first.splitlines())) <= 50
    assert first.count(r"\x1b") == 9
    assert lines == "a\nb"
    assert "\n\n".join(tables) == render_text(board, width=50) + "\n" + render_text(board, width=50)
    assert render_result(Paper([], [board]), Look()) == render_text(board)
    assert render_result(Paper([], []), Look()) == ""


def test_colour_reaches_the_tables_below_paragraphs(board):
    paper = Paper(["Words."], [board])
    assert "\x1b[1m" in render_result(paper, Look(colour=True))
    assert "\x1b" not in render_result(paper, Look())


def by_rich(grid: Grid, width: int) -> str:
    """The same tables, by the library that made them before: slow to load, and the reference."""
    rows = [[cell.text for cell in row] for row in shown_rows(grid)]
    folds = fold(_needs(grid.columns, rows, width), width, gap=GAP, repeat_first=not grid.columns[0].is_numeric)
    needed = max(sum(room for _, room in part) + GAP * len(part) for part in folds)
    file = io.StringIO()
    console = Console(
        file=file, width=max(width, needed), color_system=None, legacy_windows=False, force_jupyter=False, _environ={}
    )
    console.print(Text(visible(grid.title)), width=width, overflow="fold")
    for part in folds:
        console.print()
        table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0))
        for place, room in part:
            column = grid.columns[place]
            table.add_column(
                Text(visible(column.heading)),
                justify="right" if column.is_numeric else "left",
                overflow="fold",
                width=room,
            )
        for row in rows:
            table.add_row(*(Text(row[place]) for place, _ in part))
        console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().split("\n")[:-1])


WORDS = st.text("ab検é–-🔍 ", max_size=30)


@given(
    st.lists(st.tuples(WORDS, st.booleans()), min_size=1, max_size=5),
    st.lists(st.tuples(WORDS, st.floats(-1e6, 1e6)), min_size=1, max_size=4),
    WORDS.filter(bool),
    st.integers(12, 60),
)
def test_tables_are_those_of_rich(headings, values, title, width):
    columns = [
        Column(f"c{place}", heading, "number" if numeric else "text")
        for place, (heading, numeric) in enumerate(headings)
    ]
    rows = [[number if numeric else text for _, numeric in headings] for text, number in values]
    grid = Grid(title=title, columns=columns, rows=rows)
    assert render_text(grid, width=width) == by_rich(grid, width)
    coloured = render_text(grid, width=width, colour=True)
    assert re.sub("\x1b\\[[012]m", "", coloured) == render_text(grid, width=width)


@given(st.text(), st.integers(2, 40))
def test_wrapped_lines_fit_and_lose_nothing_but_blanks(text, width):
    text = visible(text)
    lines = wrapped(text, width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_a_word_is_cut_only_if_it_is_longer_than_half_the_page():
    names = ["n" * 34, "short"]
    columns = [Column("run", "Run"), *(Column(f"c_{place}", f"Column {place}") for place in range(3))]
    grid = Grid(title="", columns=columns, rows=[[name, "two words", "x" * 25, "y"] for name in names])
    text = render_text(grid, width=70)
    assert {"n" * 34, "x" * 25} <= set(text.split())
    assert max(map(len, text.splitlines())) <= 70
    long = Grid(title="", columns=columns[:2], rows=[["n" * 60, "z"]])
    assert max(map(len, render_text(long, width=70).splitlines())) <= 70
