"""Scores of others: the measure in any spelling, matrices as before, real outputs of trec_eval."""

import numpy as np
import pytest

import runoff
from runoff.errors import InputError, UsageError
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
    with pytest.raises(UsageError, match="no scores of mapp; did you mean map\\? expected one of map and P_10"):
        runoff.read_scores(TREC_EVAL, measure="mapp")


def test_a_matrix():
    matrix = b"query_id,a,b\nq1,0.5,0.25\n"
    assert runoff.read_scores(matrix).measure == "score"
    assert runoff.read_scores(matrix, measure="mrr@10").measure == "RR@10"
    assert runoff.read_scores(matrix, measure="happiness").runs == ("a", "b")


def test_one_measure_under_two_names():
    theirs = b"q1\tAP\t0.75\nq2\tAP\t0.5\nall\tAP\t0.625\n"
    scores = runoff.read_scores([TREC_EVAL, theirs], measure="map")
    assert (scores.measure, scores.runs, scores.values.tolist()) == (
        "AP",
        ("bm25", "<bytes>"),
        [[0.5, 0.75], [0.25, 0.5]],
    )
    with pytest.raises(InputError, match=r"run .<bytes>. has no P@10 for 2 of 2 queries"):
        runoff.read_scores([TREC_EVAL, theirs], measure="P@10")


def test_several_files_a_pattern_and_a_folder(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.eval").write_bytes(TREC_EVAL.replace(b"bm25", name.encode()))
    both = [str(tmp_path / "a.eval"), tmp_path / "b.eval"]
    for source in (both, str(tmp_path), f"{tmp_path}/*.eval"):
        assert runoff.read_scores(source, measure="map").runs == ("a", "b")
    (tmp_path / "notes.txt").write_text("no scores\n")
    with pytest.raises(InputError, match=r"notes.txt: no scores per query; expected one of .*; leave the file out"):
        runoff.read_scores(tmp_path, measure="map")
    with pytest.raises(UsageError, match="no scores; expected a file or several"):
        runoff.read_scores([])


def test_files_whose_runs_have_one_name(tmp_path):
    (tmp_path / "a.eval").write_bytes(TREC_EVAL)
    (tmp_path / "b.eval").write_bytes(TREC_EVAL.replace(b"0.5000", b"0.7500"))
    (tmp_path / "more.eval").write_bytes(TREC_EVAL.replace(b"bm25", b"dense"))
    scores = runoff.read_scores(tmp_path, measure="map")
    assert (scores.runs, scores.values[0].tolist()) == (("a.eval", "b.eval", "dense"), [0.5, 0.75, 0.5])
    rest = TREC_EVAL.replace(b"P_10 ", b"P_20 ").replace(b"map   ", b"bpref ")
    assert runoff.read_scores([TREC_EVAL, rest], measure="P@20").runs == ("bm25",)


@pytest.mark.parametrize("mean", ["all", "tot"])
def test_rows_of_means_are_no_queries(mean):
    rows = f"q1\tAP\t0.75\n{mean}\tAP\t0.75\n"
    assert runoff.read_scores(rows.encode()).query_ids == ("q1",)
    assert runoff.read_scores(TREC_EVAL.replace(b"\tall\t", f"\t{mean}\t".encode()), measure="map").runs == ("bm25",)


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
