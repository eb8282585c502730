"""A board as a table: the columns that there is something for, and notes on these alone."""

from runoff.workflows.board import board_of
from runoff.workflows.board_table import STRIP_WIDTH, board_grid
from tests.workflows.boards import data_of
from tests.workflows.test_leaderboard import FACTS, SCORES, result_of


def test_without_teams_and_dates_there_are_no_such_columns():
    plain = result_of(SCORES)
    names = [column.name for column in plain.grid().columns]
    assert "team" not in names
    assert "date" not in names
    assert len(plain.grids()) == 1
    assert plain.to_dict()["history"] == []


def test_columns_and_notes_of_verdicts_are_there_with_verdicts_alone():
    judged = board_of(data_of({"a": [1] * 12 + [0] * 18, "b": [4] * 30}), trials=50)
    for board, has_verdicts in ((judged, True), (result_of(SCORES, FACTS), False)):
        grid = board_grid(board)
        assert ("verdict" in [column.name for column in grid.columns]) == has_verdicts
        assert any(note.startswith("Against ") for note in grid.notes) == has_verdicts
        assert all(len(row) == len(grid.columns) for row in grid.rows)
        assert all(1 <= len(str(row[-1])) <= STRIP_WIDTH for row in grid.rows)
