"""`runoff calibrate`, as typed."""

import json

import pytest

import runoff
from runoff.choices import FORMATS
from runoff.display import render
from runoff.verbs.calibrate import CalibrationOptions

FEW = ("--queries", "6,9", "--boards", "3", "--trials", "40")
VERB = ("calibrate", "good.run", "poor.run", "--qrels", "qrels.txt", *FEW)
ASKED = CalibrationOptions(sizes=(6, 9), boards=3, trials=40)


@pytest.mark.parametrize("format_name", FORMATS)
def test_every_format_is_that_of_the_library(board, call, format_name):
    result = runoff.calibrate(["good.run", "poor.run"], "qrels.txt", options=ASKED)
    shown = call(*VERB, "--format", format_name)
    assert (shown.returncode, shown.stderr) == (0, f"{result.measure_note}\n" if format_name == "csv" else "")
    assert shown.stdout == render(result, format_name, width=100, colour=False)


def test_options(board, call):
    options = (
        "-m", "P@1", "--alpha", "0.5", "--only", "tests", "--only", "margins", "--queries", "12", "--most-runs", "2",
        "--depth", "1", "--level", "1", "--gains", "0,1", "--seed", "4", "--format", "json", "--quiet",
    )  # fmt: skip
    content = json.loads(call(*VERB, *options).stdout)
    assert (content["measure"], content["alpha"], content["seed"], content["runs"]) == ("P@1", 0.5, 4, 2)
    assert content["queries"] == [6, 9, 12]
    assert {line["quantity"] for line in content["lines"]} <= {"tests", "margins"}


def test_scores_and_exit_code(board, call):
    rows = "".join(f"{place},{place % 3 / 2},{place % 4 / 3}\n" for place in range(9))
    (board / "matrix.csv").write_text(f"query_id,a,b\n{rows}", encoding="utf-8")
    shown = call("calibrate", "--scores", "matrix.csv", "-m", "AP", *FEW, "--only", "tests", "--exit-code")
    assert shown.returncode == 0
    assert "Tests of two runs that are the same: AP, from 2 runs over 9 queries" in shown.stdout
    shown = call("calibrate", "--scores", "matrix.csv", *FEW, "--only", "tests", "--alpha", "0.00001", "--exit-code")
    assert shown.returncode == 0


def test_a_promise_that_is_refuted_is_the_answer_no(board, call, monkeypatch):
    from click.testing import CliRunner

    import runoff.simulation.calibration.pairs as module
    from runoff.cli.calibrate import calibrate
    from tests.simulation.calibration.test_pairs import Broken

    class Always(Broken):
        def _compare(self, paired):
            from dataclasses import replace

            return replace(super()._compare(paired), p=1e-9)

    monkeypatch.setattr(module, "SIGNIFICANCE_TESTS", (Always(),))
    arguments = ["good.run", "poor.run", "--qrels", "qrels.txt", *FEW, "--boards", "20", "--only", "tests"]
    assert CliRunner().invoke(calibrate, arguments).exit_code == 0
    shown = CliRunner().invoke(calibrate, [*arguments, "--exit-code"])
    assert shown.exit_code == 1
    assert "2 of 2 promises are refuted" in shown.output


BAD = [
    (["good.run", "poor.run"], "give either RUNs and --qrels FILE, or --scores FILE"),
    ([], "give either RUNs"),
    (["--scores", "qrels.txt", "good.run"], "no scores per query; expected one of"),
    (["--scores", "absent.csv"], "absent.csv: no such file"),
    (["--scores", "absent.csv", "--depth", "3"], "need runs and judgments"),
    (["good.run", "--qrels", "qrels.txt"], "1 run over 2 queries; expected at least two of each"),
    (["good.run", "poor.run", "P@1", "--qrels", "qrels.txt"], "if it is a measure, write -m P@1"),
    (["good.run", "poor.run", "--qrels", "qrels.txt", "--queries", "many"], "'many' is not a number of queries"),
    (["good.run", "poor.run", "--qrels", "qrels.txt", "--queries", "2"], "boards of 2 queries"),
    (["good.run", "poor.run", "--qrels", "qrels.txt", "--boards", "1"], "--boards"),
    (["good.run", "poor.run", "--qrels", "qrels.txt", "--only", "luck"], "--only"),
]


@pytest.mark.parametrize("arguments, message", BAD)
def test_bad_input_and_usage(board, call, arguments, message):
    result = call("calibrate", *arguments, "--output", "out.txt")
    assert (result.returncode, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())
    assert not (board / "out.txt").exists()
