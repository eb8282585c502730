"""Scores of others: the measure in any spelling, matrices as before, real outputs of trec_eval."""

import numpy as np
import pytest

import runoff
from runoff.errors import MeasureError, UsageError
from tests.files.score_rows.test_score_formats import TREC_EVAL


@pytest.mark.parametrize("measure", ["map", "AP", "MAP", "ap"])
def test_a_measure_in_any_spelling(measure):
    assert runoff.read_scores(TREC_EVAL, measure=measure).measure == "AP"


def test_the_only_measure_needs_no_name():
    scores = runoff.read_scores(b"utility\tq1\t0.5\nutility\tall\t0.5\n")
    assert (scores.measure, scores.values.tolist()) == ("utility", [[0.5]])


def test_which_measure():
    with pytest.raises(UsageError, match="scores of 2 measures; expected one of map and P_10; name it with -m"):
        runoff.read_scores(TREC_EVAL)
    with pytest.raises(UsageError, match="no scores of nDCG@10; expected one of map and P_10"):
        runoff.read_scores(TREC_EVAL, measure="ndcg_cut_10")
    with pytest.raises(MeasureError, match="did you mean nDCG"):
        runoff.read_scores(TREC_EVAL, measure="ndgc")


def test_a_matrix():
    matrix = b"query_id,a,b\nq1,0.5,0.25\n"
    assert runoff.read_scores(matrix).measure == "score"
    assert runoff.read_scores(matrix, measure="mrr@10").measure == "RR@10"
    assert runoff.read_scores(matrix, measure="happiness").runs == ("a", "b")


def test_an_open_file(tmp_path):
    (tmp_path / "a.eval").write_bytes(TREC_EVAL)
    with (tmp_path / "a.eval").open("rb") as file:
        assert runoff.read_scores(file, measure="P@10").values.tolist() == [[0.1], [0.0]]


@pytest.mark.parametrize("measure", ["map", "P_10", "recip_rank", "ndcg_cut_10", "Rprec", "bpref", "recall_1000"])
def test_real_output_of_trec_eval(shared_data, measure):
    folder = shared_data / "trec_eval"
    scores = runoff.read_scores(folder / "out.test.aq", measure=measure)
    assert (scores.runs, scores.query_ids) == (("STANDARD",), ("301", "302", "303"))
    ours = runoff.evaluate(folder / "results.test", folder / "qrels.test", measures=measure).scores[0]
    np.testing.assert_allclose(scores.values, ours.values, atol=0.00005, rtol=0)
    assert scores.measure == ours.measure
