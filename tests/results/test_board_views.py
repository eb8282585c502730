"""Views of a board: rank probabilities, and the interval-scaled board worked out by hand."""

import json
from itertools import product

import numpy as np
import pytest

from runoff import UsageError
from runoff.comparisons.options import CompareOptions
from runoff.measures import AP
from runoff.reading.boards import read_board_data
from runoff.reading.sources import as_qrels
from runoff.tables.scores import Scores
from runoff.verbs._board_parts import interval_board
from runoff.verbs.board import BoardOptions, board, board_of
from tests.verbs.boards import HISTORY, data_of

SCALED = BoardOptions(interval_scaled=True)


def test_ranks_of_rr_by_hand():
    # RR@3 takes 0, 1/3, 1/2, 1: the interval-scaled values are 0, 1/3, 2/3, 1.
    steady, bold = [2, 2, 2, 2], [1, 1, 0, 0]
    data = data_of({"steady": steady, "bold": bold}, options=CompareOptions(measures="RR@3"))
    result = interval_board(data, trials=20)
    rows = {row.run: row for row in result.rows}
    assert [rows["steady"].mean, rows["steady"].interval_scaled_mean] == pytest.approx([1 / 2, 2 / 3])
    assert [rows["bold"].mean, rows["bold"].interval_scaled_mean] == pytest.approx([1 / 2, 1 / 2])
    assert (rows["bold"].rank, rows["bold"].interval_scaled_rank, rows["bold"].moved) == (1.5, 2, -0.5)
    assert result.opening(80)[0].startswith("On the interval-scaled RR@3 steady leads instead of bold")


def test_nothing_changes_for_an_interval_scale():
    data = data_of({"a": [1, 1, 0], "b": [1, 0, 0]}, options=CompareOptions(measures="P@2"))
    result = board_of(data, trials=20, options=SCALED).interval_scaled
    assert result is not None
    assert result.opening(80) == ("On the interval-scaled P@2 a still leads, and every run keeps its rank.",)
    assert result.tau == 1.0


def test_ap_is_scaled_query_by_query_with_its_own_relevant_documents():
    qrels = {"one": {"d": 1}, "two": {"d": 1, "e": 1}, "none": {"n": 0}}
    run = {"one": {"x": 2.0, "d": 1.0}, "two": {"d": 3.0, "x": 2.0, "e": 1.0}, "none": {"n": 1.0}}
    other = {"one": {"d": 1.0}, "two": {"d": 1.0}, "none": {"n": 1.0}}
    data = read_board_data([run, other], as_qrels(qrels), options=CompareOptions(measures="AP@3"))
    result = interval_board(data, trials=20)

    def scaled(found, relevant):
        """The rank of an AP@3 among all that a query with so many relevant documents can have."""
        values = {
            round(sum(sum(state[: k + 1]) / (k + 1) for k in range(3) if state[k]) / relevant, 12)
            for state in product((0, 1), repeat=3)
            if sum(state) <= relevant
        }
        return sorted(values).index(round(found, 12)) / (len(values) - 1)

    expected = np.mean([scaled(1 / 2, 1), scaled((1 + 2 / 3) / 2, 2), 0])
    assert {row.run: row.interval_scaled_mean for row in result.rows}["run 1"] == pytest.approx(expected)


def test_fractions():
    qrels = as_qrels({"q": {"a": 1.8, "b": 0.5}, "r": {"a": 1}})
    runs = [{"q": {"a": 2.0, "b": 1.0}, "r": {"b": 1.0}}, {"q": {"b": 1.0}, "r": {"a": 1.0}}]
    for measure in ("nDCG@3", "ERR@3"):
        data = read_board_data(runs, qrels, options=CompareOptions(measures=measure))
        with pytest.raises(UsageError, match=f"fractions, and the values that {measure} can take are known for whole"):
            interval_board(data, trials=20)
    for measure in ("AP@3", "RR@3"):
        result = interval_board(read_board_data(runs, qrels, options=CompareOptions(measures=measure)), trials=20)
        assert {row.run: row.interval_scaled_mean for row in result.rows} == {"run 1": 0.5, "run 2": 0.5}


def test_keys():
    content = json.loads(interval_board(data_of({"a": [1, 2], "b": [2, 3]}), trials=20).to_json())
    assert content["leaders"] == {"measure": "a", "interval_scaled": "a"}
    assert {"tau", "tau_reference", "runs", "seed", "trials", "queries"} <= content.keys()


@pytest.mark.parametrize(
    "measure, message",
    [(None, "do not say which measure they are of"), (AP @ 3, "expected runs and qrels")],
)
def test_scores_alone_must_say_enough(measure, message):
    scores = Scores(measure="AP@3", query_ids=("1",), runs=("a", "b"), values=np.array([[0.5, 1.0]]))
    with pytest.raises(UsageError, match=message):
        board(scores, measures=measure, trials=10, options=SCALED)


def test_a_measure_without_a_cutoff_is_explained():
    with pytest.raises(UsageError, match="AP has no cutoff"):
        interval_board(data_of({"a": [1], "b": [2]}, options=CompareOptions(measures="AP")), trials=10)


def test_rows_are_rank_probabilities_best_first():
    result = board_of(data_of(HISTORY), trials=50)
    table = result.rank_table()
    grid = table.grid()
    assert grid.values("run") == ("best", "good", "weak")
    assert grid.values("rank_1") == tuple(row.p_first for row in result.rows)
    assert "best is first in 100.0% of 50 bootstrap samples" in table.opening(80)[0]


def test_json_has_everything():
    content = json.loads(board_of(data_of(HISTORY), trials=50).rank_table().to_json())
    assert list(content["beats"]["best"]) == ["best", "good", "weak"]
    assert content["beats"]["best"]["weak"] == 1
    assert sum(content["rank_probabilities"]["good"]) == pytest.approx(1)


def test_many_runs_are_cut_with_a_note():
    ranks = {f"r{place:02}": [1] * place + [0] * (12 - place) for place in range(12)}
    table = board_of(data_of(ranks), trials=20).rank_table()
    assert len(table.grid().rows) == 10
    assert "The best 10 of 12 runs" in table.grid().notes[1]
