"""What the result of a board says: its keys, its rows and its words."""

import json
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from runoff import UsageError
from runoff.tables import Scores
from runoff.tables.board import BoardRun
from runoff.workflows.board import board_of
from runoff.workflows.board_data import board_data_of_scores
from tests.workflows.boards import data_of

VALUES = np.array([[1.0, 0.9, 0.1]] * 20 + [[0.5, 0.6, 0.0]] * 20)
SCORES = Scores(measure="RR@10", query_ids=tuple(map(str, range(40))), runs=("a", "b", "c"), values=VALUES)


FACTS = (
    BoardRun(name="a", date=date(2021, 1, 3)),
    BoardRun(name="b", team="X", date=date(2021, 1, 2)),
    BoardRun(name="c", baseline=True),
)


def result_of(scores, runs=None, trials=200):
    data = board_data_of_scores(scores, title="Test board")
    return board_of(replace(data, runs=runs) if runs else data, trials=trials)


@pytest.fixture
def result():
    return result_of(SCORES, FACTS)


@pytest.fixture
def judged():
    return board_of(data_of({"trade": [1] * 12 + [0] * 18, "steady": [4] * 30, "weak": [9] * 30}), trials=50)


def test_keys(result):
    content = json.loads(result.to_json())
    assert {"measure", "queries", "trials", "seed", "runs", "rank_probabilities", "history"} <= content.keys()
    keys = {"run", "team", "date", "mean", "ci95", "expected_rank", "rank_interval", "p_first", "group"}
    keys |= {"verdict", "marks", "p", "copeland", "could_be_best", "alike", "seen_from", "needed_queries"}
    assert {"best_set", "winner", "resolution"} <= content.keys()
    assert all(run.keys() == keys for run in content["runs"])
    (record,) = content["history"]
    assert (record["date"], record["run"], record["team"], record["displaced"]) == ("2021-01-02", "b", "X", None)
    assert record["mean"] == pytest.approx(0.75)
    for run, chances in content["rank_probabilities"].items():
        assert sum(chances) == pytest.approx(1), run


def test_the_opening_says_who_leads_and_how_sure_that_is(result):
    assert result.opening(80)[0].startswith("a leads on 40 queries with a mean RR@10 of 0.7500. It is first in ")
    assert result.opening(80)[0].endswith("; 1 run cannot be told apart from it.")
    clear = Scores(measure="RR@10", query_ids=SCORES.query_ids, runs=("a", "c"), values=VALUES[:, [0, 2]])
    alone = result_of(clear, trials=50)
    assert "100.0%" in alone.opening(80)[0]
    assert alone.opening(80)[0].endswith("every other run is told apart from it.")


def test_text_has_the_board_the_strip_and_the_records(result):
    text = result.to_text(100)
    assert "Test board" in text
    assert "Records" in text
    assert "The first record had to beat the baseline c (0.0500)." in text
    row = next(line for line in text.splitlines() if line.startswith("a  ") and line.endswith("·"))
    assert len(row.split()[-1]) == 3


def test_the_verdict_order(judged):
    ordered = judged.by_verdict()
    assert [(row.run, row.copeland) for row in ordered.rows] == [("steady", 1), ("trade", 0), ("weak", -1)]
    assert (judged.order, ordered.order) == ("mean", "verdict")
    assert ordered.leader.run == "trade"
    assert ordered.opening(80)[1] == (
        "By the verdict order steady is first (Copeland score +1 of at most +2), and trade is not."
    )
    assert "copeland" in [column.name for column in ordered.grid().columns]
    assert any(
        note.endswith("ties by the mean. Each pair is decided at 0.05 by itself.") for note in ordered.grid().notes
    )
    assert "trade leads" in ordered.opening(80)[0]


def test_scores_alone_have_no_verdicts(result):
    assert result.duels == ()
    assert {row.verdict for row in result.rows} == {None}
    with pytest.raises(UsageError, match="expected ranked lists"):
        result.by_verdict()


def test_charts_are_of_the_ranks_and_of_the_records(result):
    assert [chart.name for chart in result.charts()] == ["rank_heat_map", "rank_intervals", "best_runs", "timeline"]
    assert result.chart().name == "rank_heat_map"
    assert "b has the record of RR@10" in result.chart("timeline").text_alternative()
    with pytest.raises(UsageError, match="this result has no chart 'pie'; expected one of rank_heat_map, rank_int"):
        result.chart("pie")
    assert [chart.name for chart in result.rank_charts()] == ["rank_heat_map", "rank_intervals", "timeline"]
    undated = result_of(SCORES)
    assert [chart.name for chart in undated.charts()] == ["rank_heat_map", "rank_intervals", "best_runs"]


def test_charts_of_verdicts_and_of_unjudged_documents(judged):
    assert [chart.name for chart in judged.charts()] == ["rank_heat_map", "rank_intervals", "best_runs", "unjudged"]
    ordered = judged.by_verdict()
    assert [chart.name for chart in ordered.charts()] == [
        "rank_heat_map", "rank_intervals", "best_runs", "verdict_matrix", "unjudged",
    ]  # fmt: skip
    assert ordered.chart("verdict_matrix").text_alternative().startswith("steady is better than 1")
    assert ordered.chart("unjudged").text_alternative().startswith("Unjudged documents of 3 runs: steady")
    assert judged.chart("unjudged").text_alternative().startswith("Unjudged documents of 3 runs: trade")
