"""`runoff reliability`, as typed."""

import json

import pytest

import runoff
from runoff.choices import FORMATS
from runoff.display import render

VERB = ("reliability", "good.run", "poor.run", "--qrels", "qrels.txt", "--splits", "5")


@pytest.mark.parametrize("format_name", FORMATS)
def test_every_format_is_that_of_the_library(board, call, format_name):
    result = runoff.reliability(["good.run", "poor.run"], "qrels.txt", splits=5)
    shown = call(*VERB, "--format", format_name)
    assert (shown.returncode, shown.stderr) == (0, f"{result.measure_note}\n" if format_name == "csv" else "")
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
    (["good.run", "poor.run"], "give RUNs and --qrels FILE, or a board.toml, or --scores FILE"),
    ([], "give RUNs"),
    (["--qrels", "qrels.txt"], "give RUNs"),
    (["--scores", "qrels.txt", "good.run"], "no scores per query; expected one of"),
    (["good.run", "--qrels", "qrels.txt", "--scores", "matrix.csv"], "give RUNs"),
    (["--scores", "qrels.txt", "--queries", "qrels.txt"], "--scores goes without --queries"),
    (["--scores", "absent.csv"], "absent.csv: no such file"),
    (["good.run", "--qrels", "qrels.txt"], "1 run over 2 queries; expected at least two of each"),
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


BOARD = """
title = "Small"
measure = "P@1"
alpha = 0.01
[labels.first]
path = "qrels.txt"
[labels.second]
path = "qrels.txt"
relevance_level = 2
[[runs]]
path = "good.run"
[[runs]]
path = "poor.run"
"""


def test_a_board_gives_what_is_not_asked(board, call):
    (board / "board.toml").write_text(BOARD, encoding="utf-8")
    plain = ("reliability", "board.toml", "--splits", "3", "--format", "json")
    content = json.loads(call(*plain).stdout)
    assert (content["measure"], content["alpha"], content["runs"]) == ("P@1", 0.01, 2)
    assert json.loads(call(*plain, "--labels", "second").stdout)["measure"] == "P(rel=2)@1"
    content = json.loads(call(*plain, "-m", "RR@10", "--alpha", "0.2", "--qrels", "qrels.txt").stdout)
    assert (content["measure"], content["alpha"]) == ("RR@10", 0.2)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["good.run", "poor.run", "--qrels", "qrels.txt", "--labels", "first"], "go with a board.toml"),
        (["board.toml", "--labels", "first", "--qrels", "qrels.txt"], "name the same; leave one out"),
        (["board.toml", "--labels", "third"], "no label set is called 'third'; expected one of first, second"),
    ],
)
@pytest.mark.parametrize("verb", ["reliability", "pool"])
def test_options_that_do_not_go_with_it(board, call, verb, arguments, message):
    (board / "board.toml").write_text(BOARD, encoding="utf-8")
    result = call(verb, *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())
