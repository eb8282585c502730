"""Every form of input gives the same run, qrels and scores."""

import gzip
import io
import os
from pathlib import Path
from typing import Any

import pytest

import runoff
from runoff import InputError, LimitError, ReadOptions, UsageError
from runoff.reading.runs import Scoring, read_runs
from runoff.reading.sources import as_qrels, as_run, names_of
from runoff.results import EvaluationResult

RUN: dict[str, dict[str, float]] = {"q1": {"a": 2.5, "x": 2.5, "b": 1.0}, "q2": {"y": 3.0, "c": -1.0}, "q9": {"c": 1.0}}
QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}, "q3": {"d": 1}}
RUN_ROWS = [(query, doc, score) for query, row in RUN.items() for doc, score in row.items()]
QRELS_ROWS = [(query, doc, grade) for query, row in QRELS.items() for doc, grade in row.items()]
RUN_TEXT = "".join(f"{query}\tQ0 {doc} 0  {score} tag\n" for query, doc, score in RUN_ROWS).encode()
QRELS_TEXT = "".join(f"{query} 0 {doc} {grade}\r\n" for query, doc, grade in QRELS_ROWS).encode()
RUN_COLUMNS, QRELS_COLUMNS = ("query_id", "doc_id", "score"), ("query_id", "doc_id", "relevance")


def columns(names, rows) -> dict[str, list[Any]]:
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def written(folder: Path, name: str, content: bytes) -> Path:
    (folder / name).write_bytes(content)
    return folder / name


def run_forms(folder: Path) -> dict[str, Any]:
    """The same run in every form that is accepted."""
    import polars as pl

    frame = pl.DataFrame(columns(RUN_COLUMNS, RUN_ROWS))
    frame.write_parquet(folder / "run.parquet")
    path = written(folder, "run.txt", RUN_TEXT)
    return {
        "path": path,
        "text of a path": str(path),
        "gzip": written(folder, "run.gz", gzip.compress(RUN_TEXT)),
        "bytes": RUN_TEXT,
        "open file": io.BytesIO(RUN_TEXT),
        "parquet": folder / "run.parquet",
        "dict": RUN,
        "tuples": RUN_ROWS,
        "polars": frame,
        "Run": as_run(RUN, name="a run"),
    }


def qrels_forms(folder: Path) -> dict[str, Any]:
    """The same qrels in every form that is accepted."""
    import polars as pl

    return {
        "path": written(folder, "qrels.txt", QRELS_TEXT),
        "bytes": QRELS_TEXT,
        "dict": QRELS,
        "tuples": QRELS_ROWS,
        "polars": pl.DataFrame(columns(QRELS_COLUMNS, QRELS_ROWS)),
        "Qrels": as_qrels(QRELS),
    }


def facts_of(result: EvaluationResult):
    facts = result.facts[0]
    return (
        [(scores.measure, scores.query_ids, scores.values.tolist()) for scores in result.scores],
        (facts.missing_queries, facts.extra_queries, facts.unjudged_at_depth, facts.tied_at_depth),
    )


BOTH = ("RR@10", "nDCG@10")
EXPECTED = facts_of(runoff.evaluate(RUN, QRELS, measures=BOTH))


def test_the_expected_scores():
    scores, facts = EXPECTED
    assert scores[0] == ("RR@10", ("q1", "q2", "q3"), [[0.5], [0.5], [0.0]])  # x before a: the ids descend
    assert facts == (1, 1, 2 / 5, 0)


def test_all_forms_of_a_run_score_the_same(tmp_path):
    for form, run in run_forms(tmp_path).items():
        assert facts_of(runoff.evaluate(run, QRELS, measures=BOTH)) == EXPECTED, form


def test_all_forms_of_qrels_score_the_same(tmp_path):
    for form, qrels in qrels_forms(tmp_path).items():
        assert facts_of(runoff.evaluate(RUN, qrels, measures=BOTH)) == EXPECTED, form


def test_pandas_frames_and_ir_measures_tuples():
    pandas = pytest.importorskip("pandas")
    run, qrels = pandas.DataFrame(columns(RUN_COLUMNS, RUN_ROWS)), pandas.DataFrame(columns(QRELS_COLUMNS, QRELS_ROWS))
    assert facts_of(runoff.evaluate(run, qrels, measures=BOTH)) == EXPECTED
    ir_measures = pytest.importorskip("ir_measures")
    documents = [ir_measures.ScoredDoc(*row) for row in RUN_ROWS]
    judgments = [ir_measures.Qrel(*row) for row in QRELS_ROWS]
    assert facts_of(runoff.evaluate(documents, judgments, measures=BOTH)) == EXPECTED


def test_all_forms_at_once_are_runs_of_their_own(tmp_path):
    forms = run_forms(tmp_path)
    del forms["text of a path"], forms["bytes"]  # the same name as the path, and as the open file
    result = runoff.evaluate(list(forms.values()), QRELS, measures=BOTH)
    assert sorted(result.runs) == sorted(names_of(list(forms.values())))
    assert len({tuple(map(tuple, scores.values.T.tolist())) for scores in result.scores}) == 2
    assert all((scores.values == scores.values[:, :1]).all() for scores in result.scores)


def test_runs_of_msmarco_go_by_rank(tmp_path):
    file = written(tmp_path, "run.tsv", b"q1\tx\t1\nq1\ta\t2\nq2\tc\t1\n")
    assert runoff.evaluate(file, QRELS, measures=["RR@10"]).scores[0].values[:, 0].tolist() == [0.5, 1.0, 0.0]


def test_names(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
        written(folder, "bm25.run", RUN_TEXT)
    assert names_of([one / "bm25.run", as_run(RUN, name="mine"), RUN]) == ["bm25.run", "mine", "run 3"]
    assert names_of([one / "bm25.run", str(two / "bm25.run")]) == [os.fspath(one / "bm25.run"), str(two / "bm25.run")]
    with pytest.raises(UsageError, match="two runs are called 'mine'; expected a different name for each"):
        names_of([as_run(RUN, name="mine"), as_run(RUN, name="mine")])


def test_a_bad_run_among_good_ones_is_named(tmp_path):
    good, bad = written(tmp_path, "good.run", RUN_TEXT), written(tmp_path, "bad.run", b"q1 Q0 a 1 x tag\n")
    with pytest.raises(InputError, match=r"bad\.run:1: "):
        runoff.evaluate([good, bad], QRELS)
    with pytest.raises(InputError, match="no such file"):
        runoff.evaluate([good, tmp_path / "absent.run"], QRELS)


def test_the_limit_holds_for_runs_and_qrels(tmp_path):
    run, qrels = written(tmp_path, "run", RUN_TEXT), written(tmp_path, "qrels", QRELS_TEXT)
    with pytest.raises(LimitError, match="qrels: holds more than 10 bytes"):
        runoff.evaluate(run, qrels, reading=ReadOptions(max_bytes=10))
    with pytest.raises(LimitError, match="run: holds more than 60 bytes"):
        runoff.evaluate(run, QRELS, reading=ReadOptions(max_bytes=60))


def test_tables_are_returned_as_they_are():
    run, qrels = as_run(RUN, name="mine"), as_qrels(QRELS)
    assert as_run(run) is run
    assert as_qrels(qrels) is qrels


def test_results_come_in_the_order_of_the_runs():
    runs = [as_run({"q1": {"a": float(place)}}, name=f"run {place}") for place in range(20)]
    scoring = Scoring(labels=as_qrels(QRELS), keep_serps=True)
    assert [serps.run for serps in read_runs(runs, scoring, depth=3).serps] == [run.name for run in runs]


@pytest.mark.parametrize("run", [3, None, {"q1": 2.0}, [("q1", "a")], {"q1": {"a": "high"}}, {}])
def test_what_is_no_run_is_refused(run):
    with pytest.raises(runoff.RunoffError):
        runoff.evaluate([run], QRELS)
