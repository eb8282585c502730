"""What is read of a board: scores and SERPs in the order and under the names of the board."""

import numpy as np
import pytest

import runoff
from runoff import UsageError
from runoff.comparisons.options import CompareOptions
from runoff.reading.board_data import board_data_of_scores, read_board_data, read_board_file
from runoff.tables.scores import Scores
from runoff.verdicts import Policy
from tests.verbs.boards import HISTORY, data_of
from tests.verbs.comparisons import qrels_of, run_of


def test_scores_and_serps_are_in_the_order_of_the_board():
    data = data_of(HISTORY)
    assert data.scores.runs == tuple(HISTORY)
    assert data.means["best"] == pytest.approx(29 / 30)
    for name in HISTORY:
        assert data.serps_of(name).run == name
        assert data.measure is not None
        assert np.array_equal(data.measure.values(data.serps_of(name)), data.scores.of(name))


def test_the_depth_is_that_of_measure_and_comparison():
    runs, qrels = [run_of("a", [2, 12, 12, 12], length=30)], runoff.as_qrels(qrels_of(4))

    def depth(**options):
        serps = read_board_data(runs, qrels, question=CompareOptions(**options)).serps
        assert serps is not None
        return serps[0].depth

    assert depth(measure="RR@10") == 10
    assert depth(measure="RR@10", depth=20) == 20
    assert depth(measure="RR") == depth(measure="RR@1000000000") == 30


def test_a_measure_of_ir_measures_has_no_serps():
    data = read_board_data([run_of("a", [1, 2])], runoff.as_qrels(qrels_of(2)), question=CompareOptions(measure="SetP"))
    assert data.serps is None
    with pytest.raises(UsageError, match="expected ranked lists"):
        data.serps_of("a")


def test_a_matrix_is_a_board_too():
    scores = Scores(measure="AP", query_ids=("1", "2"), runs=("a", "b"), values=np.array([[0.1, 0.2], [0.3, 0.4]]))
    data = board_data_of_scores(scores)
    assert [run.name for run in data.runs] == ["a", "b"]
    assert (data.serps, data.best_is_low) == (None, False)
    with pytest.raises(UsageError, match="AP is undefined for 1 of 2 queries"):
        board_data_of_scores(
            Scores(measure="AP", query_ids=("1", "2"), runs=("a",), values=np.array([[np.nan], [0.4]]))
        )


def test_a_board_file_sets_the_policy_and_the_question(tmp_path):
    (tmp_path / "q.txt").write_text("q1 0 d 2\nq2 0 d 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 d 1 2 t\nq2 Q0 d 1 2 t\n")
    (tmp_path / "board.toml").write_text(
        'title = "T"\nmeasure = "RR(rel=2)@10"\ndepth = 5\nrelevance_level = 2\nalpha = 0.01\n'
        'correction = "bonferroni"\nrecord_rule = "holm"\n[labels.l]\npath = "q.txt"\n'
        '[[runs]]\npath = "a.run"\nname = "A"\n'
    )
    data = read_board_file(tmp_path / "board.toml")
    assert data.policy == Policy(alpha=0.01, correction="bonferroni", record_rule="holm")
    assert (data.question.depth, data.question.level) == (5, 2)
    assert data.means == {"A": 0.5}


def test_the_relevance_level_of_a_board_is_that_of_its_measure(tmp_path):
    (tmp_path / "q.txt").write_text("q1 0 d 2\nq2 0 d 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 d 1 2 t\nq2 Q0 d 1 2 t\n")
    run = '[[runs]]\npath = "a.run"\nname = "{}"\n'
    text = 'title = "T"\nmeasure = "RR@10"\nrelevance_level = 2\n[labels.l]\npath = "q.txt"\n'
    (tmp_path / "board.toml").write_text(text + run.format("A") + run.format("B"))  # one file, two names
    data = read_board_file(tmp_path / "board.toml")
    assert data.scores.measure == "RR(rel=2)@10"
    assert data.means == {"A": 0.5, "B": 0.5}
