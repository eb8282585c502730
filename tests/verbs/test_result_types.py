"""Calls as a type checker sees them: what it says about a good one is what that returns, and it refuses the bad ones.

`mypy` checks this file with all others; an error that a comment here expects and that is none is an error, too.
"""

from typing import assert_type

import numpy as np
import pytest

import runoff
from runoff.reports.result import ReportResult
from runoff.results import BoardResult, EvaluationResult, IpsoBoardResult, IpsoComparisonResult
from runoff.results.ipso import IpsoTheoryShown
from runoff.verbs._published_board import PublishedBoardResult
from runoff.verbs.ipso import IpsoOptions
from runoff.verbs.report import PublishedReportResult, ReportOptions

QRELS = {f"q{place}": {"d": 1, "e": 0.5} for place in range(8)}
RUNS = [{query: {"d": 1.0, "x": score} for query in QRELS} for score in (0.5, 2.0)]
BINARY = {query: {"d": 1} for query in QRELS}
SHORT = IpsoOptions(depths=[2])


def test_board():
    result = runoff.board(RUNS, QRELS, trials=20)
    assert_type(result, BoardResult)
    assert isinstance(result, BoardResult)
    values = np.array([[0.25, 0.5], [0.5, 1.0]])
    matrix = runoff.Scores(measure="AP", query_ids=("1", "2"), runs=("a", "b"), values=values)
    of_scores = runoff.board(matrix, trials=20)
    assert_type(of_scores, BoardResult)
    assert isinstance(of_scores, BoardResult)


def test_board_and_report_of_a_file(tmp_path):
    file = str(tmp_path / "board.toml")
    (tmp_path / "board.toml").write_text('title = "T"\nmeasure = "RR@10"\n[[runs]]\nname = "a"\nscores.public = 0.5\n')
    board = runoff.board(file)
    assert_type(board, BoardResult | PublishedBoardResult)
    assert isinstance(board, PublishedBoardResult)
    report = runoff.report(file)
    assert_type(report, ReportResult | PublishedReportResult)
    assert isinstance(report, PublishedReportResult)


def test_report_of_runs():
    result = runoff.report(RUNS, BINARY, options=ReportOptions(trials=20, splits=2))
    assert_type(result, ReportResult)
    assert isinstance(result, ReportResult)


def test_ipso(tmp_path):
    theory = runoff.ipso(options=SHORT)
    assert_type(theory, IpsoTheoryShown)
    assert isinstance(theory, IpsoTheoryShown)
    runs = runoff.ipso(RUNS, BINARY, options=SHORT)
    assert_type(runs, IpsoComparisonResult | IpsoBoardResult)
    assert isinstance(runs, IpsoComparisonResult)
    with_policy = runoff.ipso(RUNS, BINARY, options=SHORT, policy=runoff.Policy(correction="none"))
    assert_type(with_policy, IpsoBoardResult)
    assert isinstance(with_policy, IpsoBoardResult)
    file = str(tmp_path / "board.toml")
    (tmp_path / "qrels.txt").write_text("q 0 d 1\n")
    for name, docs in (("a", "dx"), ("b", "xd")):
        lines = (f"q Q0 {doc} 0 {-place} t\n" for place, doc in enumerate(docs))
        (tmp_path / f"{name}.run").write_text("".join(lines))
    (tmp_path / "board.toml").write_text(
        'title = "T"\nmeasure = "RR@10"\n[labels.all]\npath = "qrels.txt"\n'
        '[[runs]]\nname = "a"\npath = "a.run"\n[[runs]]\nname = "b"\npath = "b.run"\n'
    )
    of_file = runoff.ipso(file, options=SHORT)
    assert_type(of_file, IpsoBoardResult)
    assert isinstance(of_file, IpsoBoardResult)


def test_bad_calls():
    """What mypy refuses is refused at run time, too, with an error of runoff's own."""
    options = runoff.ReadOptions()
    with pytest.raises(runoff.UsageError):
        runoff.evaluate(RUNS, 3)  # type: ignore[call-overload]
    with pytest.raises(runoff.UsageError):
        runoff.evaluate(RUNS, QRELS, measure="AP")  # type: ignore[call-overload]
    with pytest.raises(runoff.UsageError):
        runoff.compare(RUNS[0], RUNS[1], QRELS, measures=10)  # type: ignore[call-overload]
    with pytest.raises(runoff.UsageError):
        runoff.compare(RUNS[0], RUNS[1], QRELS, depth="10")  # type: ignore[call-overload]
    with pytest.raises(runoff.UsageError):
        runoff.compare(RUNS[0], RUNS[1], QRELS, policy=options)  # type: ignore[call-overload]
    with pytest.raises(runoff.UsageError):
        runoff.compare(RUNS[0])  # type: ignore[call-overload]
    with pytest.raises(runoff.UsageError):
        runoff.read_run(3)  # type: ignore[arg-type]
    with pytest.raises(runoff.UsageError):
        runoff.report(runs=RUNS, qrels=QRELS)  # type: ignore[call-overload]
    with pytest.raises(runoff.UsageError):
        runoff.ReadOptions(tie_rule="dice")  # type: ignore[arg-type]
    with pytest.raises(runoff.UsageError):
        runoff.scale(3)  # type: ignore[arg-type]
    with pytest.raises(runoff.UsageError):
        runoff.evaluate(RUNS, QRELS).write(3)  # type: ignore[arg-type]


def test_good_calls(tmp_path):
    """One of each kind of run, qrels, measures and queries."""
    result = runoff.evaluate({"a": RUNS[0], "b": RUNS[1]}, QRELS, measures="RR@10", queries="q1")
    assert_type(result, EvaluationResult)
    assert result.runs == ("a", "b")
    for name in ("a.run", "b.run"):
        (tmp_path / name).write_text("q1 Q0 d 1 1 a\n")
    assert runoff.evaluate(tmp_path / "a.run", QRELS, measures=[runoff.parse_measure("AP")]).queries == 8
    assert runoff.evaluate([tmp_path / "a.run", tmp_path / "b.run"], QRELS).runs == ("a.run", "b.run")
    assert runoff.compare(RUNS[0], RUNS[1], QRELS, queries=["q1", "q2"]).to_dict()["queries"] == 2
    result.write(tmp_path / "scores.csv")
    result.write(str(tmp_path / "scores.json"))
