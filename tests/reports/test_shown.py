from __future__ import annotations

import pytest

from runoff.reports import Shown, render_csv, render_html, render_json, render_latex, render_text


def test_a_result_shows_itself(result_of, board):
    result = result_of(board, mean=0.5)
    assert result.to_csv() == render_csv(board)
    assert result.to_json() == render_json({"mean": 0.5})
    assert result.to_latex() == render_latex(board)
    assert result.to_html() == result._repr_html_() == render_html(board)
    assert result.to_text(40) == render_text(board, width=40)
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
