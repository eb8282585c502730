"""The table of rank probabilities: the numbers of the stability, the best run first."""

import json

import pytest

from runoff.verbs.board import board_of
from tests.verbs.boards import HISTORY, data_of


def test_rows_are_rank_probabilities_best_first():
    result = board_of(data_of(HISTORY), trials=50)
    table = result.stability()
    grid = table.grid()
    assert grid.values("run") == ("best", "good", "weak")
    assert grid.values("rank_1") == tuple(row.p_first for row in result.rows)
    assert "best is first in 100.0% of 50 bootstrap samples" in table.opening(80)[0]


def test_other_trials_are_drawn_again():
    result = board_of(data_of({"a": [1, 2, 3, 0] * 5, "b": [3, 2, 1, 0] * 5}), trials=50)
    assert result.stability().stability is result.ranks
    other = result.stability(trials=300, seed=4).stability
    assert (other.trials, other.seed) == (300, 4)


def test_json_has_everything():
    content = json.loads(board_of(data_of(HISTORY), trials=50).stability().to_json())
    assert list(content["beats"]["best"]) == ["best", "good", "weak"]
    assert content["beats"]["best"]["weak"] == 1
    assert sum(content["rank_probabilities"]["good"]) == pytest.approx(1)


def test_many_runs_are_cut_with_a_note():
    ranks = {f"r{place:02}": [1] * place + [0] * (12 - place) for place in range(12)}
    table = board_of(data_of(ranks), trials=20).stability()
    assert len(table.grid().rows) == 10
    assert "The best 10 of 12 runs" in table.grid().notes[1]
