"""A board as a table: the columns that there is something for, and notes on these alone."""

from runoff.results.board_table import STRIP_WIDTH, board_grid, rank_range
from runoff.verbs.board import board_of
from tests.results.test_board import FACTS, SCORES, result_of
from tests.verbs.boards import data_of


def test_without_teams_and_dates_there_are_no_such_columns():
    plain = result_of(SCORES)
    names = [column.name for column in plain.grid().columns]
    assert "team" not in names
    assert "date" not in names
    assert len(plain.grids()) == 1
    assert plain.to_dict()["history"] == []


def test_possible_ranks_and_verdicts_are_columns():
    ranks = {"b": [3, 4] * 15, "a": [1, 2] * 15, "c": [2] * 12 + [0] * 18, "d": [2, 1] * 14 + [2, 2]}
    judged = board_of(data_of({**ranks, "e": [9] * 12 + [0] * 18}), trials=50)
    grid = board_grid(judged)
    headings = {column.name: column.heading for column in grid.columns}
    assert (headings["rank_set"], headings["verdict"]) == ("Possible ranks", "Against the leader")
    assert grid.values("run") == ("a", "d", "b", "c", "e")
    assert grid.values("rank_set") == ("1 to 2", "1 to 2", "3 to 4", "3 to 4", "5")
    assert grid.values("verdict") == (None, "inconclusive", "worse: later", "worse: fewer", "worse: fewer, later")
    assert grid.values("p") == tuple(row.p for row in judged.rows)
    assert any("(95% confidence for all runs together; " in note for note in grid.notes)


def test_one_possible_rank_is_one_number():
    assert [rank_range(ranks) for ranks in ((1, 1), (2, 5), (12, 12))] == ["1", "2 to 5", "12"]


def test_what_needs_ranked_lists_is_there_with_these_alone():
    judged = board_of(data_of({"a": [1] * 12 + [0] * 18, "b": [4] * 30}), trials=50)
    for board, has_lists in ((judged, True), (result_of(SCORES, FACTS), False)):
        grid = board_grid(board)
        names = [column.name for column in grid.columns]
        assert "verdict" in names
        assert ("seen_from" in names) == has_lists
        assert any(note.startswith("Against ") for note in grid.notes) == has_lists
        assert all(len(row) == len(grid.columns) for row in grid.rows)
        assert all(1 <= len(str(row[-1])) <= STRIP_WIDTH for row in grid.rows)


def test_the_family_behind_how_is_named():
    judged = board_of(data_of({"a": [1, 2] * 15, "b": [3, 4] * 15, "c": [9, 8] * 15}), trials=50)
    (note,) = (note for note in board_grid(judged).notes if note.startswith("Against a"))
    assert "corrected by Holm over more and sooner of 3 pairs (6 p-values)" in note


def test_pairs_of_which_nothing_can_be_claimed_are_counted():
    for ranks, words in (
        ({"a": [1] * 30, "b": [2] * 30}, "1 pair of runs differs by the same on every query"),
        ({"a": [1] * 30, "b": [2] * 30, "c": [3] * 30}, "3 pairs of runs differ by the same on every query"),
        ({"a": [1, 2] * 15, "b": [3, 9] * 15}, ""),
    ):
        notes = [note for note in board_grid(board_of(data_of(ranks), trials=50)).notes if "on every query" in note]
        assert [note.split(":")[0] for note in notes] == ([words] if words else [])
