"""`runoff reliability`, as typed."""

import json

import pytest

import runoff
from runoff.cli.options import FORMAT_NAMES
from runoff.reports import render

VERB = ("reliability", "good.run", "poor.run", "--qrels", "qrels.txt", "--splits", "5")


@pytest.mark.parametrize("format_name", FORMAT_NAMES)
def test_every_format_is_that_of_the_library(board, call, format_name):
    result = runoff.reliability(["good.run", "poor.run"], "qrels.txt", splits=5)
    shown = call(*VERB, "--format", format_name)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout == render(result, format_name, width=100, colour=False)


def test_options(board, call):
    (board / "one.txt").write_text("q1\nq2\n", encoding="utf-8")
    options = ("-m", "P@1", "--alpha", "0.5", "--queries", "one.txt", "--seed", "4", "--format", "json", "--quiet")
    content = json.loads(call(*VERB, *options).stdout)
    assert (content["measure"], content["alpha"], content["seed"], content["splits"]) == ("P@1", 0.5, 4, 5)


def test_scores(board, call):
    (board / "matrix.csv").write_text("query_id,a,b\n1,0.5,0.4\n2,0.3,0.1\n3,0.9,0.2\n", encoding="utf-8")
    content = json.loads(call("reliability", "--scores", "matrix.csv", "--splits", "3", "--format", "json").stdout)
    assert (content["measure"], content["queries"], content["pairs"]) == ("score", 3, 1)
    named = call("reliability", "--scores", "matrix.csv", "-m", "AP", "--splits", "3").stdout
    assert "Do the tests repeat? AP, 3 queries, 2 runs" in named


BAD = [
    (["good.run", "poor.run"], "give either RUNs and --qrels FILE, or --scores FILE"),
    ([], "give either RUNs"),
    (["--qrels", "qrels.txt"], "give either RUNs"),
    (["good.run", "--scores", "matrix.csv"], "give either RUNs"),
    (["good.run", "--qrels", "qrels.txt", "--scores", "matrix.csv"], "give either RUNs"),
    (["--scores", "qrels.txt", "--queries", "qrels.txt"], "--queries needs runs and judgments"),
    (["--scores", "absent.csv"], "absent.csv: no such file"),
    (["good.run", "--qrels", "qrels.txt"], "1 runs over 2 queries; expected at least two of each"),
    (["good.run", "poor.run", "P@1", "--qrels", "qrels.txt"], "if it is a measure, write -m P@1"),
    (["good.run", "poor.run", "--qrels", "qrels.txt", "-m", "ESL@1"], "are undefined"),
    (["good.run", "poor.run", "--qrels", "qrels.txt", "--splits", "0"], "--splits"),
    (["good.run", "poor.run", "--qrels", "qrels.txt", "--alpha", "1"], "--alpha"),
]


@pytest.mark.parametrize("arguments, message", BAD)
def test_bad_input_and_usage(board, call, arguments, message):
    result = call("reliability", *arguments, "--output", "out.txt")
    assert (result.returncode, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())
    assert not (board / "out.txt").exists()
