from __future__ import annotations

import base64
import html
import re

import pytest

from runoff.comparisons import relations_of_all
from runoff.display import FORMATS, Shown, render, render_csv, render_html, render_json, render_latex, render_text
from runoff.display.charts import Hasse, RelationGrid
from runoff.display.html_text import TABLE_STYLE, render_paragraphs
from runoff.errors import UsageError


def test_a_result_shows_itself(result_of, board):
    result = result_of(board, mean=0.5)
    assert result.to_csv() == render_csv(board)
    assert result.to_json() == render_json({"mean": 0.5})
    assert result.to_latex() == render_latex(board)
    assert result.to_html() == render_html(board)
    assert result._repr_html_() == f"<style>\n{TABLE_STYLE}</style>\n{render_html(board)}"
    assert result.to_text(40) == render_text(board, width=40)
    with pytest.raises(UsageError, match="to_text: width='40' cannot be used; expected a whole number"):
        result.to_text("40")
    assert str(result) == render_text(board).rstrip("\n")
    assert result.to_frame().rows() == list(board.rows)


def test_people_see_every_table_and_programs_the_main_one(result_of, board, hostile):
    result = result_of(board, hostile)
    assert result.to_latex().count(r"\begin{table}") == 2
    assert result.to_html().count("<table") == 2
    assert result.to_text().count("RR@10") == 2
    assert result.to_csv() == render_csv(board)


def test_a_result_has_one_table_unless_it_says_more(board):
    class Plain(Shown):
        def grid(self):
            return board

        def to_dict(self):
            return {}

    assert Plain().grids() == (board,)


def test_grid_and_dictionary_must_be_written():
    class Half(Shown):
        def to_dict(self):
            return {}

    with pytest.raises(TypeError, match="grid"):
        Half()  # type: ignore[abstract]


class Told(Shown):
    """A result with words before its tables, and another table for papers."""

    def __init__(self, grid, paper):
        self._grid, self._paper = grid, paper

    def grid(self):
        return self._grid

    def to_dict(self):
        return {}

    def paper_grids(self):
        return (self._paper,)

    def opening(self, width):
        return (f"Told <first>, {width} wide.", "Second.\nOf two lines.") if width else ("Told <first>.",)


def test_a_result_has_no_opening_and_the_same_tables_for_papers_unless_it_says_so(result_of, board):
    result = result_of(board)
    assert result.opening(80) == ()
    assert result.paper_grids() == result.grids()
    assert result.to_html() == render_html(board)


def test_words_come_before_the_tables(board, hostile):
    result = Told(board, hostile)
    assert result.to_text(60).startswith("Told <first>, 60 wide.\n\nSecond.\nOf two lines.\n\nRuns\n")
    assert result.to_text(60).endswith(render_text(board, width=60))
    assert result.to_text(60) == render(result, "table", width=60)
    assert result.to_html() == render_paragraphs(["Told <first>."]) + render_html(board)
    page = render(result, "html")
    assert page.index("<p>Told &lt;first&gt;.</p>") < page.index("<table")
    assert result.to_csv() == render_csv(board)


def test_papers_get_their_own_tables(board, hostile):
    result = Told(board, hostile)
    assert result.to_latex() == render_latex(hostile) == render(result, "latex")


class Drawn(Told):
    """A result with charts."""

    def charts(self):
        found = relations_of_all(2)
        return Hasse(found), RelationGrid(found)


def test_a_notebook_shows_tables_and_the_main_chart(board, hostile):
    result = Drawn(board, hostile)
    shown = result._repr_mimebundle_()
    assert shown["text/plain"] == str(result)
    page = str(shown["text/html"])
    assert result.to_html() in page
    (image,) = re.findall(r'<img [^>]*alt="([^"]+)" src="data:image/svg\+xml;base64,([^"]+)">', page)
    assert html.unescape(image[0]).endswith(result.chart().summary)
    assert base64.b64decode(image[1]).decode("utf-8") == result.chart().to_svg()
    assert html.unescape(page).endswith('<p>More charts: chart("relation_grid")</p>\n')
    assert "<svg" not in page  # ids of pictures that stand in one document would be mixed up


def test_a_result_without_charts_says_so(result_of, board):
    result = result_of(board)
    assert result.charts() == ()
    with pytest.raises(UsageError, match="this result has no chart; expected one that can be drawn"):
        result.chart()


def test_a_repr_is_short(board, result_of):
    assert repr(result_of(board)) == "<SampleResult: Runs, 3 rows>"
    assert repr(Told(board, board)) == "<Told: Told <first>.>"

    class Long(Told):
        def opening(self, width):
            return ("many words " * 50,)

    assert repr(Long(board, board)).endswith("many words many ...>")
    assert len(repr(Long(board, board))) < 2 * 100


@pytest.mark.parametrize("suffix", [".txt", ".json", ".csv", ".tex", ".html", ".md"])
def test_a_result_is_written_in_the_form_that_the_name_says(board, result_of, tmp_path, suffix):
    result = result_of(board)
    form = next(form for form in FORMATS if form.suffix == suffix)
    result.write(tmp_path / f"result{suffix.upper()}")
    assert (tmp_path / f"result{suffix.upper()}").read_text() == render(result, form.name)


def test_a_file_that_cannot_be_written(board, result_of, tmp_path):
    result = result_of(board)
    with pytest.raises(UsageError, match=r"its ending names no form; expected one of .txt, .json, .*; write r.html"):
        result.write(tmp_path / "r.docx")
    with pytest.raises(UsageError, match="cannot be written"):
        result.write(tmp_path / "nowhere" / "r.html")
    with pytest.raises(UsageError, match="this result has no chart"):
        result.write(tmp_path / "r.svg")
    assert list(tmp_path.iterdir()) == []
