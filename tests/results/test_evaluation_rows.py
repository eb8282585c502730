"""Evaluations as trec_eval, ir_measures and JSON Lines have them, and back through our own readers."""

import json

import pytest

import runoff
from runoff.choices import SCORE_ROWS
from runoff.display import render
from runoff.errors import UsageError
from runoff.results.evaluation import PerQueryResult

RUNS = {
    "bm25": {"q10": {"a": 3.0, "b": 2.0}, "q2": {"c": 1.0}},
    "dense": {"q10": {"b": 3.0, "a": 2.0}, "q2": {"x": 1.0, "c": 0.5}},
}
QRELS = {"q10": {"a": 1, "b": 0}, "q2": {"c": 2}}
MEASURES = ["map", "ndcg_cut_10", "RBP(p=0.8)"]


def scored(*names: str) -> PerQueryResult:
    return runoff.evaluate({name: RUNS[name] for name in names}, QRELS, measures=MEASURES).per_query()


def test_trec_eval_prints_the_same(shared_data):
    """All but the name of the run, which is its file here and its tag there."""
    folder = shared_data / "trec_eval"
    result = runoff.evaluate(folder / "results.test", folder / "qrels.test", measures=["map", "P_10", "recip_rank"])
    theirs = (folder / "out.test.aq").read_text(encoding="utf-8").splitlines()
    lines = render(result.per_query(), "trec_eval").splitlines()
    assert [line for line in lines if line not in theirs] == [f"{'runid':<22}\tall\tresults.test"]
    assert len(lines) == 3 * 3 + 2 + 3


def test_the_columns_of_trec_eval():
    assert render(scored("bm25"), "trec_eval").splitlines()[:2] == [
        "map                   \tq10\t1.0000",
        "ndcg_cut_10           \tq10\t1.0000",
    ]
    means = render(runoff.evaluate({"bm25": RUNS["bm25"]}, QRELS, measures="map"), "trec_eval")
    assert (
        means
        == "runid                 \tall\tbm25\nnum_q                 \tall\t2\nmap                   \tall\t1.0000\n"
    )


def test_ir_measures_prints_the_same(tmp_path, monkeypatch, capsys):
    main = pytest.importorskip("ir_measures.__main__")
    (tmp_path / "qrels").write_text("q10 0 a 1\nq10 0 b 0\nq2 0 c 2\n", encoding="utf-8")
    (tmp_path / "run").write_text("q10 Q0 b 1 3 x\nq10 Q0 a 2 2 x\nq2 Q0 x 1 1 x\nq2 Q0 c 2 0.5 x\n", encoding="utf-8")
    for option in ([], ["-q"]):
        command = ["ir_measures", str(tmp_path / "qrels"), str(tmp_path / "run"), "AP", "nDCG@10", *option]
        monkeypatch.setattr("sys.argv", command)
        main.main_cli()
        result = runoff.evaluate({"dense": RUNS["dense"]}, QRELS, measures=["AP", "nDCG@10"])
        ours = render(result.per_query() if option else result, "ir_measures")
        assert sorted(ours.splitlines()) == sorted(capsys.readouterr().out.splitlines())


def test_ir_measures_has_one_run():
    with pytest.raises(UsageError, match="ir_measures' format is for one run; expected one of the 2"):
        render(scored("bm25", "dense"), "ir_measures")


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("format_name", SCORE_ROWS)
def test_there_and_back(format_name, measure):
    result = scored("dense") if format_name == "ir_measures" else scored("bm25", "dense")
    scores = runoff.read_scores(render(result, format_name).encode(), measure=measure)
    table = next(each for each in result.evaluation.scores if each.measure == str(runoff.parse_measure(measure)))
    assert scores.measure == table.measure
    for name in table.runs:
        column = "<bytes>" if format_name == "ir_measures" else name
        expected = dict(zip(table.query_ids, table.of(name).tolist(), strict=True))
        back = dict(zip(scores.query_ids, scores.of(column).tolist(), strict=True))
        assert back == pytest.approx(expected, abs=0 if format_name == "jsonl" else 0.00005)


def test_json_lines_are_exact_and_have_null():
    result = runoff.evaluate({"x": {"q2": {"c": 1.0}}}, {"q1": {"a": 0}, "q2": {"c": 1}}, measures="ESL@10")
    rows = [json.loads(line) for line in render(result.per_query(), "jsonl").splitlines()]
    assert [(row["query"], row["value"]) for row in rows] == [("q1", None), ("q2", 1.0), ("all", 1.0)]
