"""Runs and qrels through the libraries of peers and back."""

import importlib
import math
from typing import Any

import pytest

from runoff.errors import InputError
from runoff.files import read_qrels, read_run
from runoff.reading.sources import as_qrels, as_run
from runoff.verbs.evaluate import evaluate

pytestmark = pytest.mark.proof

RUN = {"q1": {"d1": 1.5, "d2": 2.5, "d3": 0.25}, "q2": {"dé": -0.1, "d1": 1e-7}}
QRELS = {"q1": {"d1": 1, "d9": 2}, "q2": {"d1": 0, "dé": 3}}
ROWS = [("q1", "d2", 2.5), ("q1", "d1", 1.5), ("q1", "d3", 0.25), ("q2", "d1", 1e-7), ("q2", "dé", -0.1)]
GRADES = {(query, doc): grade for query, docs in QRELS.items() for doc, grade in docs.items()}


def mean(run, qrels, measure):
    result: Any = evaluate(run, qrels, measures=measure).to_dict()
    return result["runs"][0]["measures"][measure]


def peer(name):
    return importlib.import_module(name)


def grades_of(qrels):
    return {(query, doc): grade for query, doc, grade in qrels}


@pytest.mark.filterwarnings("ignore")
def test_ranx(tmp_path):
    ranx = peer("ranx")
    run, qrels = ranx.Run(RUN, name="bm25"), ranx.Qrels(QRELS, name="labels")
    assert list(as_run(run)) == ROWS
    assert grades_of(as_qrels(qrels)) == GRADES
    for ending in ("json", "trec", "lz4", "parquet"):
        if ending == "lz4":
            peer("lz4")
        path = tmp_path / f"run.{ending}"
        run.save(str(path))
        assert list(read_run(path)) == ROWS
    for ending in ("json", "trec", "parquet"):
        path = tmp_path / f"qrels.{ending}"
        qrels.save(str(path))
        assert grades_of(read_qrels(path)) == GRADES
    for measure, name in (("ndcg@10", "nDCG@10"), ("mrr@10", "RR@10"), ("map", "AP")):
        ours = mean(run, qrels, name)
        theirs = ranx.evaluate(qrels, run, measure)
        assert math.isclose(ours, theirs, abs_tol=1e-9), measure


@pytest.mark.filterwarnings("ignore")
def test_frames_of_ranx():
    ranx, pandas = peer("ranx"), peer("pandas")
    frame = pandas.DataFrame(ROWS, columns=["q_id", "doc_id", "score"]).astype({"q_id": object, "doc_id": object})
    assert list(as_run(frame)) == list(as_run(ranx.Run.from_df(frame))) == ROWS


def test_ir_measures(tmp_path):
    ir_measures = peer("ir_measures")
    run = [ir_measures.ScoredDoc(*row) for row in ROWS]
    qrels = [ir_measures.Qrel(query, doc, grade) for (query, doc), grade in GRADES.items()]
    assert list(as_run(run)) == ROWS
    assert grades_of(as_qrels(qrels)) == GRADES
    text = "".join(f"{query} Q0 {doc} 1 {score!r} t\n" for query, doc, score in as_run(run))
    (tmp_path / "run").write_text(text, encoding="utf-8")
    assert list(as_run(list(ir_measures.read_trec_run(str(tmp_path / "run"))))) == ROWS
    theirs = ir_measures.calc_aggregate([ir_measures.nDCG @ 10], qrels, run)[ir_measures.nDCG @ 10]
    ours = mean(run, qrels, "nDCG@10")
    assert math.isclose(ours, theirs, abs_tol=1e-9)


def test_pytrec_eval():
    pytrec_eval = peer("pytrec_eval")
    theirs = pytrec_eval.RelevanceEvaluator(QRELS, {"ndcg_cut_10"}).evaluate(RUN)
    ours = mean(RUN, QRELS, "nDCG@10")
    assert math.isclose(ours, sum(scores["ndcg_cut_10"] for scores in theirs.values()) / len(QRELS), abs_tol=1e-9)


@pytest.mark.filterwarnings("ignore")
def test_pyterrier(tmp_path):
    """Its input and output of runs and qrels needs no Java."""
    pyterrier, pandas = peer("pyterrier"), peer("pandas")
    frame = pandas.DataFrame([{"qid": query, "docno": doc, "score": score} for query, doc, score in ROWS])
    frame["rank"] = frame.groupby("qid").cumcount()
    assert list(as_run(frame)) == ROWS
    pyterrier.io.write_results(frame, str(tmp_path / "run.gz"), format="trec")
    assert list(read_run(tmp_path / "run.gz")) == ROWS
    assert list(as_run(pyterrier.io.read_results(str(tmp_path / "run.gz")))) == ROWS
    text = "".join(f"{query} 0 {doc} {grade}\n" for (query, doc), grade in GRADES.items())
    (tmp_path / "qrels").write_text(text, encoding="utf-8")
    assert grades_of(as_qrels(pyterrier.io.read_qrels(str(tmp_path / "qrels")))) == GRADES


@pytest.mark.filterwarnings("ignore")
def test_hugging_face(tmp_path):
    datasets = peer("datasets")
    run = datasets.Dataset.from_list([{"qid": query, "docno": doc, "score": score} for query, doc, score in ROWS])
    assert list(as_run(run)) == ROWS
    assert list(as_run(run.to_iterable_dataset())) == ROWS
    beir = [{"query-id": query, "corpus-id": doc, "score": grade} for (query, doc), grade in GRADES.items()]
    assert grades_of(as_qrels(datasets.Dataset.from_list(beir))) == GRADES
    with pytest.raises(InputError, match=r"choose a part of it, such as \['test'\]"):
        as_qrels(datasets.DatasetDict({"test": datasets.Dataset.from_list(beir)}))
    datasets.Dataset.from_list(beir).save_to_disk(str(tmp_path / "beir"))
    with pytest.raises(InputError, match="an Arrow file"):
        read_qrels(next((tmp_path / "beir").glob("*.arrow")))


def test_lz4_in_frames(tmp_path):
    lz4 = peer("lz4.frame")
    data = b"".join(b"q Q0 d%d 1 %d t\n" % (row, row) for row in range(50_000))
    (tmp_path / "run").write_bytes(lz4.compress(data[: len(data) // 2]) + lz4.compress(data[len(data) // 2 :]))
    assert len(read_run(tmp_path / "run")) == 50_000
