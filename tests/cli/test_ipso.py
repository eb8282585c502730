"""`runoff ipso`, as typed."""

import json
from html import escape

import pytest

from runoff import compare_ipso
from runoff.cli.options import FORMAT_NAMES
from runoff.workflows.ipso import theory

QRELS = "q1 0 a 1\nq1 0 b 1\nq2 0 c 1\n"
PAIR = ("ipso", "good.run", "poor.run", "--qrels", "labels.txt", "--depth", "3")


@pytest.fixture
def two(board):
    """The small board with labels that are not graded."""
    (board / "labels.txt").write_text(QRELS, encoding="utf-8")
    return board


@pytest.mark.parametrize("format_name", FORMAT_NAMES)
@pytest.mark.parametrize("per_topic", [False, True])
def test_every_format_is_that_of_the_library(two, call, format_name, per_topic):
    comparison = compare_ipso("good.run", "poor.run", "labels.txt", depth=3)
    result = comparison.per_topic() if per_topic else comparison
    shown = call(*PAIR, "--format", format_name, *(["--per-topic"] if per_topic else []))
    assert (shown.returncode, shown.stderr) == (0, "")
    expected = {
        "table": result.to_text(100),
        "json": result.to_json(),
        "csv": result.to_csv(),
        "latex": result.to_latex(),
    }
    if format_name == "html":
        assert all(f"<p>{escape(paragraph)}</p>" in shown.stdout for paragraph in result.opening(0))
    else:
        assert shown.stdout == expected[format_name]


def test_json_has_the_promised_keys(two, call):
    content = json.loads(call(*PAIR, "--format", "json").stdout)
    promised = {"topics", "depth", "groups", "sign_p", "sign_p_range", "by_depth", "per_topic"}
    assert promised <= set(content)
    assert content["groups"] == {"nonseparable_ns": 0, "ns": 0, "equal": 0, "ni": 2, "nonseparable_ni": 0}
    assert [topic["relations"] for topic in content["per_topic"]] == ["==nini", "ninini"]


def test_the_strings_of_figure_5(two, call):
    lines = call(*PAIR, "--per-topic").stdout.splitlines()
    assert [line.split() for line in lines[-2:]] == [
        ["q2", "ni", "010", "000", "==nini"],
        ["q1", "ni", "110", "010", "ninini"],
    ]


def test_theory(call):
    assert json.loads(call("ipso", "--theory", "--depth", "20", "--format", "json").stdout) == theory(20).to_dict()
    assert "67.08%" in call("ipso", "--theory").stdout
    assert "10,0.0009765625,0.670" in call("ipso", "--theory", "--format", "csv").stdout


def test_gains_level_and_queries(two, call):
    graded = ("ipso", "good.run", "poor.run", "--qrels", "qrels.txt", "--format", "json")
    (two / "one.txt").write_text("q2\n", encoding="utf-8")
    assert json.loads(call(*graded, "--gains", "0,0.5,1").stdout)["topics"] == 2
    assert json.loads(call(*graded, "--level", "2", "--queries", "one.txt").stdout)["topics"] == 1
    assert json.loads(call(*graded, "--level", "3").stdout)["groups"]["equal"] == 2


BAD = [
    (["good.run", "--qrels", "labels.txt"], "give two runs and --qrels FILE, or --theory"),
    (["good.run", "poor.run"], "give two runs and --qrels FILE, or --theory"),
    (["good.run", "poor.run", "good.run", "--qrels", "labels.txt"], "give two runs and --qrels FILE"),
    ([], "give two runs and --qrels FILE, or --theory"),
    (["--theory", "good.run"], "--theory takes no runs and no --qrels; leave them out"),
    (["--theory", "--qrels", "labels.txt"], "--theory takes no runs and no --qrels"),
    (["good.run", "poor.run", "--qrels", "qrels.txt"], "the labels have grades up to 2, and grades cannot be added up"),
    (["good.run", "poor.run", "--qrels", "qrels.txt", "--gains", "1,2,3"], "the gain of grade 0 is 1"),
    (["good.run", "poor.run", "--qrels", "qrels.txt", "--gains", "0,.5,1", "--level", "2"], "are both given"),
    (["good.run", "good.run", "--qrels", "labels.txt"], "two runs are called 'good.run'"),
    (["good.run", "absent.run", "--qrels", "labels.txt"], "absent.run: no such file"),
    (["good.run", "poor.run", "--qrels", "labels.txt", "--depth", "0"], "--depth"),
]


@pytest.mark.parametrize("arguments, message", BAD)
def test_bad_input_and_usage(two, call, arguments, message):
    result = call("ipso", *arguments, "--output", "out.txt")
    assert (result.returncode, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())
    assert not (two / "out.txt").exists()


def test_help_has_examples(call):
    for verb, part in (("ipso", "runoff ipso --theory --depth 20"), ("compare", "--measure nDCG@10 --format latex")):
        shown = call(verb, "--help").stdout
        assert "Examples:\n" in shown
        assert part in shown
