"""What the result of a board says: its keys, its rows and its words."""

import json
from datetime import date

import numpy as np
import pytest

from runoff.boards.history import history
from runoff.boards.stability import stability
from runoff.errors import UsageError
from runoff.tables import Scores
from runoff.tables.board import BoardRun
from runoff.workflows.leaderboard import BoardResult

VALUES = np.array([[1.0, 0.9, 0.1]] * 20 + [[0.5, 0.6, 0.0]] * 20)
SCORES = Scores(measure="RR@10", query_ids=tuple(map(str, range(40))), runs=("a", "b", "c"), values=VALUES)


@pytest.fixture
def result():
    runs = (
        BoardRun(name="c", baseline=True),
        BoardRun(name="b", team="X", date=date(2021, 1, 2)),
        BoardRun(name="a", date=date(2021, 1, 3)),
    )
    means = dict(zip(SCORES.runs, SCORES.means.tolist(), strict=True))
    found = stability(SCORES, trials=200)
    return BoardResult(title="Test board", stability=found, runs=runs, history=history(runs, means))


def test_keys(result):
    content = json.loads(result.to_json())
    assert {"measure", "queries", "trials", "seed", "runs", "rank_probabilities", "history"} <= content.keys()
    keys = {"run", "team", "date", "mean", "ci95", "expected_rank", "rank_interval", "p_first", "group"}
    assert all(run.keys() == keys for run in content["runs"])
    assert content["history"] == [
        {"date": "2021-01-02", "run": "b", "team": "X", "mean": pytest.approx(0.75), "displaced": None}
    ]
    for run, chances in content["rank_probabilities"].items():
        assert sum(chances) == pytest.approx(1), run


def test_rows_are_best_first_and_equal_the_stability(result):
    assert [row.run for row in result.rows] == ["a", "b", "c"]
    found = result.stability
    for row in result.rows:
        place = found.runs.index(row.run)
        assert row.mean == found.means[place]
        assert row.p_first == found.p_first[place] == row.rank_probabilities[0]
        assert row.rank_interval == tuple(found.rank_intervals[place])
        assert row.ci95[0] <= row.mean <= row.ci95[1]


def test_the_opening_says_who_leads_and_how_sure_that_is(result):
    assert result.opening(80)[0].startswith("a leads on 40 queries with a mean RR@10 of 0.7500. It is first in ")
    assert result.opening(80)[0].endswith("; 1 run cannot be told apart from it.")
    clear = Scores(measure="RR@10", query_ids=SCORES.query_ids, runs=("a", "c"), values=VALUES[:, [0, 2]])
    alone = BoardResult(title="t", stability=stability(clear, trials=50), runs=(BoardRun(name="a"), BoardRun(name="c")))
    assert "100.0%" in alone.opening(80)[0]
    assert alone.opening(80)[0].endswith("every other run is told apart from it.")


def test_text_has_the_board_the_strip_and_the_records(result):
    text = result.to_text(100)
    assert "Test board" in text
    assert "Records" in text
    assert "The first record had to beat the baseline c (0.0500)." in text
    row = next(line for line in text.splitlines() if line.startswith("a  "))
    assert row.endswith("·")
    assert len(row.split()[-1]) == 3


def test_without_teams_and_dates_there_are_no_such_columns():
    found = stability(SCORES, trials=50)
    plain = BoardResult(title="t", stability=found, runs=tuple(BoardRun(name=name) for name in SCORES.runs))
    names = [column.name for column in plain.grid().columns]
    assert "team" not in names
    assert "date" not in names
    assert len(plain.grids()) == 1
    assert plain.to_dict()["history"] == []


def test_charts_are_of_the_ranks_and_of_the_records(result):
    assert [chart.name for chart in result.charts()] == ["rank_heat_map", "rank_intervals", "timeline"]
    assert result.chart().name == "rank_heat_map"
    assert "b has the record of RR@10" in result.chart("timeline").text_alternative()
    with pytest.raises(UsageError, match="this result has no chart 'pie'; expected one of rank_heat_map, rank_int"):
        result.chart("pie")
    undated = BoardResult(title="Test board", stability=result.stability, runs=tuple(map(_undated, result.runs)))
    assert [chart.name for chart in undated.charts()] == ["rank_heat_map", "rank_intervals"]


def _undated(run):
    return BoardRun(name=run.name)
