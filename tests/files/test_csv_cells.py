"""Cells that a spreadsheet would take for formulas: made harmless when written, and as they were when read."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.display.csv_text import render_csv
from runoff.display.grid import Column, Grid
from runoff.files.csv_cells import harmless_cell, text_of_cell
from runoff.files.judging.judgments import read_judgments
from runoff.files.judging.table import render_judgment_csv
from runoff.files.judging.task_table import csv_lines, read_tasks, render_task_sheet, render_tasks
from runoff.files.score_matrix import read_score_matrix
from runoff.tables.preferences import Preferences
from runoff.tables.tasks import JudgingPair, Tasks

FORMULAS = (
    "=1+1", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://x")', "\uff1d1+1", "-abc",
    "-1e5x", "--5", "+-5",
)  # fmt: skip
PLAIN = ("bm25", "-5", "+0.25", "-1e-05", "", "-", "+", "--", "a=b", "'quoted'", "5-3", "é")
IDS = st.text(st.sampled_from("=+-@'a1.e"), min_size=1, max_size=6)


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_made_text(text):
    assert harmless_cell(text) == f"'{text}"
    assert text_of_cell(harmless_cell(text)) == text


@pytest.mark.parametrize("text", PLAIN)
def test_numbers_marks_and_other_text_stay(text):
    assert harmless_cell(text) == text
    assert text_of_cell(text) == text


@given(st.text() | IDS)
def test_every_text_comes_back(text):
    cell = harmless_cell(text)
    assert text_of_cell(cell) == text
    assert harmless_cell(cell) != cell or cell == text


@pytest.mark.parametrize("text", FORMULAS)
def test_no_writer_lets_a_formula_through(text):
    grid = Grid(title="", columns=[Column("run", "Run"), Column("mean", "Mean", "number")], rows=[[text, -0.5]])
    tasks = Tasks(name="t", pairs=(JudgingPair("t1", 1, "p", text, text + "l", text + "r", None),))
    texts = {text: text, text + "l": text, text + "r": text}
    for lines in (
        [render_csv(grid)],
        csv_lines([("a", "b"), [text, -0.5]]),
        render_tasks(tasks),
        render_task_sheet(tasks, texts, texts),
    ):
        cells = [cell for row in csv.reader(io.StringIO("".join(lines), newline="")) for cell in row]
        assert any(text in cell for cell in cells)
        assert [cell for cell in cells if cell.startswith(text[0]) and cell != "-0.5"] == []
    assert "-0.5" in render_csv(grid)


def test_ids_like_formulas_survive_our_own_files():
    table = Preferences.of([("=q", "-a", "@b", "-a", "+ann", "=t", 3.5, None), ("'=q", "-a", "'-a", None)], name="n")
    text = "".join(render_judgment_csv(table))
    assert "\n=q" not in text
    assert list(read_judgments(text.encode())) == list(table)
    tasks = Tasks(name="t", pairs=(JudgingPair("=t", 1, "-p", "=q", "-a", "@b", "-a"),))
    assert read_tasks("".join(render_tasks(tasks)).encode()).pairs == tasks.pairs
    scores = read_score_matrix(b"query_id,'=run,-5\n'=q,-0.5,1\n")
    assert (scores.query_ids, scores.runs) == (("=q",), ("=run", "-5"))
