"""The ordered list of formats, and laws that every listed format keeps."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import runoff.display
from runoff.display import FORMAT_NAMES, FORMATS, render
from runoff.errors import UsageError

FOLDER = Path(runoff.display.__file__).parent


def test_the_list():
    assert FORMAT_NAMES == ("table", "json", "csv", "latex", "html", "markdown")


def test_every_file_is_listed_once():
    files = {file.stem.removesuffix("_text") for file in FOLDER.glob("*_text.py")}
    assert sorted(FORMAT_NAMES) == sorted(files)
    assert len({form.suffix for form in FORMATS}) == len(FORMATS)


@pytest.mark.parametrize("form", FORMATS, ids=FORMAT_NAMES)
def test_every_format_explains_itself(form):
    assert form.help.endswith(".")
    assert form.suffix.startswith(".")


def test_an_unknown_format_is_refused(result_of, board):
    with pytest.raises(UsageError, match="no format 'xml'; the formats are table, json, csv, latex, html, markdown"):
        render(result_of(board), "xml")


@pytest.mark.parametrize("name", FORMAT_NAMES)
@pytest.mark.parametrize("count", [0, 1, 2, 150])
def test_any_number_of_rows(result_of, rows_of, name, count):
    grid = rows_of(count)
    result = result_of(grid, rows=[list(row) for row in grid.rows])
    text = render(result, name, width=80)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert text == render(result, name, width=80)
    text.encode("utf-8")


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_hostile_names_render(result_of, hostile, name):
    text = render(result_of(hostile, names=hostile.values("run")), name)
    assert "検索-søk-поиск-🔍" in text
    assert "\x1b" not in text or name == "csv"


def test_colour_and_width_reach_the_table(result_of, board):
    assert "\x1b[1m" in render(result_of(board), "table", colour=True)
    assert render(result_of(board), "table", width=30) != render(result_of(board), "table")


def test_public_names_are_sorted_and_there():
    assert list(runoff.display.__all__) == sorted(set(runoff.display.__all__))
    assert all(hasattr(runoff.display, name) for name in runoff.display.__all__)


def test_importing_reports_is_light():
    program = "import sys, runoff.display; print([n for n in ('rich', 'polars', 'scipy') if n in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
