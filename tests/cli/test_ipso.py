"""`runoff ipso`, as typed."""

import json
from html import escape

import pytest

from runoff import Policy, ipso
from runoff.choices import FORMATS
from runoff.cli import ipso as command
from runoff.verbs._ipso_board import DEFAULT_DEPTHS
from runoff.verbs.ipso import IpsoOptions, theory
from tests.verbs.comparisons import compare_ipso

QRELS = "q1 0 a 1\nq1 0 b 1\nq2 0 c 1\n"
BOARD = (
    'title = "Mine"\nmeasure = "RR@10"\nalpha = 0.3\ndepth = 2\n[labels.all]\npath = "labels.txt"\n'
    '[[runs]]\npath = "good.run"\n[[runs]]\npath = "poor.run"\n[[runs]]\npath = "fair.run"\nname = "fair"\n'
)
THREE = ("good.run", "poor.run", "fair.run", "--qrels", "labels.txt")
PAIR = ("ipso", "good.run", "poor.run", "--qrels", "labels.txt", "--depth", "3")


@pytest.fixture
def two(board):
    """The small board with labels that are not graded."""
    (board / "labels.txt").write_text(QRELS, encoding="utf-8")
    (board / "fair.run").write_text("q1 Q0 b 1 3.0 x\nq2 Q0 d 1 2.0 x\nq2 Q0 c 2 1.0 x\n", encoding="utf-8")
    (board / "board.toml").write_text(BOARD, encoding="utf-8")
    return board


@pytest.mark.parametrize("format_name", FORMATS)
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
        "markdown": result.to_markdown(),
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
    lines = call(*PAIR, "--per-topic", "-m", "RR", "-m", "P@1").stdout.splitlines()
    assert [line.split() for line in lines if line.startswith("q")] == [
        ["q2", "010", "000", "==nini", "+0.50", "+0.00"],
        ["q1", "110", "010", "ninini", "+0.50", "+1.00"],
    ]
    rows = call(*PAIR, "--per-topic", "-m", "RR", "--format", "csv").stdout.splitlines()
    assert rows == ["query,group,first,second,relations,rr_3", "q2,ni,010,000,==nini,0.5", "q1,ni,110,010,ninini,0.5"]


def test_theory(call):
    assert json.loads(call("ipso", "--theory", "--depth", "20", "--format", "json").stdout) == theory(20).to_dict()
    assert "67.08%" in call("ipso", "--theory").stdout
    assert "10,0.0009765625,0.670" in call("ipso", "--theory", "--format", "csv").stdout


def test_gains_level_and_queries(two, call):
    graded = ("ipso", "good.run", "poor.run", "--qrels", "qrels.txt", "--format", "json")
    (two / "one.txt").write_text("q2\n", encoding="utf-8")
    assert json.loads(call(*graded, "--gains", "0,0.5,1").stdout)["topics"] == 2
    assert json.loads(call(*graded, "--level", "2", "--queries", "one.txt").stdout)["topics"] == 1
    content = json.loads(call(*graded, "--level", "2").stdout)
    assert (content["topics"], content["unanswerable"]) == (1, 1)


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("per_pair", [False, True])
def test_all_pairs_in_every_format(two, call, format_name, per_pair):
    question = IpsoOptions(depths=[2, 3], measures=["AP", "RR@1"], tests=["sign"])
    policy = Policy(alpha=0.2, correction="holm")
    board = ipso(list(THREE[:3]), "labels.txt", options=question, policy=policy)
    result = board.per_pair() if per_pair else board
    options = ["-m", "AP", "-m", "RR@1", "--test", "sign", "--alpha", "0.2", "--correction", "holm", "--depth", "3"]
    options += ["--depth", "2", "--format", format_name, *(["--per-pair"] if per_pair else [])]
    shown = call("ipso", *THREE, *options)
    assert (shown.returncode, shown.stderr) == (0, "")
    expected = {
        "table": result.to_text(100),
        "json": result.to_json(),
        "csv": result.to_csv(),
        "latex": result.to_latex(),
        "markdown": result.to_markdown(),
    }
    if format_name == "html":
        assert all(escape(grid.title) in shown.stdout for grid in result.grids())
    else:
        assert shown.stdout == expected[format_name]


def test_a_board_file(two, call):
    content = json.loads(call("ipso", "board.toml", "--format", "json").stdout)
    assert content == json.loads(ipso("board.toml").to_json())
    assert (content["runs"][-1], content["alpha"], content["depths"], content["level"]) == ("poor.run", 0.3, [2], 1)
    content = json.loads(
        call("ipso", "board.toml", "--depth", "1,3", "--correction", "holm", "--format", "json").stdout
    )
    assert (content["alpha"], content["correction"], content["depths"]) == (0.3, "holm", [1, 3])
    assert json.loads(call("ipso", "board.toml", "--alpha", "0.01", "--format", "json").stdout)["alpha"] == 0.01


def test_all_pairs_with_queries_gains_and_level(two, call):
    graded = ("ipso", *THREE[:3], "--qrels", "qrels.txt", "--format", "json")
    (two / "one.txt").write_text("q2\n", encoding="utf-8")
    assert json.loads(call(*graded, "--gains", "0,0.5,1").stdout)["gains"] == [0, 0.5, 1]
    content = json.loads(call(*graded, "--level", "2", "--queries", "one.txt").stdout)
    assert (content["topics"], content["level"]) == (1, 2)


def test_several_depths_of_two_runs(two, call):
    shown = call(*PAIR[:-2], "--depth", "2,30").stdout
    assert [line.split()[0] for line in shown.splitlines() if line[:5].strip().isdecimal()] == ["2", "30"]
    assert "All 30 depths: --format csv or json." in shown
    assert len(call(*PAIR[:-2], "--depth", "30", "--format", "csv").stdout.splitlines()) == 31


def test_the_depth_is_that_of_the_library():
    assert (command.DEFAULT_DEPTH,) == DEFAULT_DEPTHS


BAD = [
    (["good.run", "--qrels", "labels.txt"], "give two runs or more and --qrels FILE, or a board.toml, or --theory"),
    (["good.run", "poor.run"], "give two runs or more and --qrels FILE"),
    (["good.run", "poor.run", "good.run", "--qrels", "labels.txt"], "two runs are called 'good.run'"),
    ([], "give two runs or more and --qrels FILE, or a board.toml, or --theory"),
    (["--theory", "--depth", "5,10"], "--theory takes one depth"),
    ([*THREE, "--depth", "5,x"], "'x' is not a depth; expected whole numbers of 1 or more, such as 10 or 5,10,20"),
    ([*THREE, "--depth", "5,,6"], "'' is not a depth"),
    ([*THREE, "--per-topic"], "--per-topic: only for two runs; leave it out"),
    ([*THREE, "--labels", "x"], "--labels and --query-set go with a board.toml"),
    ([*THREE, "-m", "Frobnicate"], "no measure is called 'Frobnicate'"),
    ([*THREE, "--test", "bootstrap"], "'bootstrap' is not one of 't', 'signed_rank', 'rank_sum', 'sign'"),
    ([*THREE, "nDCG@10"], "nDCG@10: no such file; expected a run; if it is a measure, write -m nDCG@10"),
    (["good.run", "poor.run", "fair.run", "--qrels", "qrels.txt"], "the labels have grades up to 2, and grades cannot"),
    (
        ["good.run", "poor.run", "--qrels", "labels.txt", "--test", "t", "--per-pair"],
        "--per-pair, --test: only for all pairs of three or more runs; leave it out",
    ),
    (["good.run", "poor.run", "--qrels", "labels.txt", "--alpha", "0.1"], "--alpha: only for all pairs"),
    (["board.toml", "--qrels", "labels.txt"], "board.toml names its labels and queries"),
    (["board.toml", "--queries", "labels.txt"], "board.toml names its labels and queries"),
    (["board.toml", "--query-set", "x"], "no query set is called 'x'"),
    (["--theory", "good.run"], "--theory takes no runs and no --qrels; leave them out"),
    (["--theory", "--qrels", "labels.txt"], "--theory takes no runs and no --qrels"),
    (["good.run", "poor.run", "--qrels", "qrels.txt"], "the labels have grades up to 2, and grades cannot be added up"),
    (["good.run", "poor.run", "--qrels", "qrels.txt", "--gains", "1,2,3"], "the gain of grade 0 is 1"),
    (["good.run", "poor.run", "--qrels", "qrels.txt", "--gains", "0,.5,1", "--level", "2"], "are both given"),
    (["good.run", "good.run", "--qrels", "labels.txt"], "two runs are called 'good.run'"),
    (
        ["good.run", "poor.run", "--qrels", "qrels.txt", "--level", "3"],
        "none of the 2 queries has a document of grade 3",
    ),
    (["good.run", "poor.run", "--qrels", "labels.txt", "-m", "Frobnicate"], "no measure is called 'Frobnicate'"),
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
    for verb, part in (
        ("ipso", "runoff ipso --theory --depth 20"),
        ("compare", "-m nDCG@10 -m AP -m RR@10 --format latex"),
    ):
        shown = call(verb, "--help").stdout
        assert "Examples:\n" in shown
        assert part in shown
