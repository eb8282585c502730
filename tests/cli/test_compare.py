"""`runoff compare`, as typed."""

import json
import os
import re
from html import escape
from pathlib import Path

import pytest

from runoff import compare
from runoff.choices import FORMATS
from runoff.cli import compare as verb
from runoff.significance import DEFAULT_TRIALS
from runoff.verdicts import Policy

QUERIES = 16
OLD, NEW = [0] * 8 + [3] * 8, [1] * 8 + [1] * 8
COMPARISON = ("compare", "old.run", "new.run", "--qrels", "labels.txt")


def run_text(ranks):
    lines = []
    for query, rank in enumerate(ranks):
        docs = ["d" if at == rank else f"x{at}" for at in range(1, 6)]
        lines += [f"q{query} Q0 {doc} {at} {-at} tag\n" for at, doc in enumerate(docs, start=1)]
    return "".join(lines)


@pytest.fixture
def comparison_board(board) -> Path:
    """Beside the small board: a run that is better than another in every way, their copy, labels and scores."""
    for name, text in (
        ("old.run", run_text(OLD)),
        ("new.run", run_text(NEW)),
        ("copy.run", run_text(OLD)),
        ("mixed.run", run_text([5] * 8 + [4] * 8)),
        ("labels.txt", "".join(f"q{query} 0 d 1\n" for query in range(QUERIES))),
        ("graded.txt", "".join(f"q{query} 0 d 2\n" for query in range(QUERIES))),
        ("half.txt", "".join(f"q{query}\n" for query in range(8))),
        (
            "scores.csv",
            "query_id,old,new\n" + "".join(f"q{at},0.{at % 7},0.{at % 7 + 1 + at % 2}\n" for at in range(9)),
        ),
    ):
        (board / name).write_text(text, encoding="utf-8")
    return Path(board)


def test_defaults_are_those_of_the_policy():
    options = {parameter.name: parameter for parameter in verb.compare.params}
    policy = Policy()
    for name in ("alpha", "correction", "esl_test", "measure_test", "sooner"):
        assert options[name].default == getattr(policy, name)
    assert options["trials"].default == DEFAULT_TRIALS


@pytest.mark.filterwarnings("always::runoff.files.run_paths.SkippedFilesWarning")
def test_qrels_and_the_champion_among_the_runs(comparison_board, call):
    for runs in (("old.run", "new.run", "labels.txt"), ("old.run", "./old.run", "new.run"), ("old.run", "new.run")):
        result = call("compare", *runs, "--qrels", "labels.txt")
        assert result.returncode == 0
        assert result.stdout.startswith("new.run against old.run: better")


def test_the_ending_of_the_output_says_its_format(comparison_board, call):
    words = "new.run against old.run"
    for name, beginning in (("a.json", "{"), ("a.tex", "% needs"), ("a.txt", words), ("a", words)):
        assert call(*COMPARISON, "-o", name).returncode == 0
        assert (comparison_board / name).read_text().startswith(beginning)
    assert call(*COMPARISON, "-o", "b.json", "--format", "csv").returncode == 0
    assert (comparison_board / "b.json").read_text().startswith("what,champion,")
    drawn = call(*COMPARISON, "-o", "a.png")
    assert (drawn.returncode, "a.png: the ending of a drawing, which --figure makes" in drawn.stderr) == (2, True)


def test_the_verdict_comes_first(comparison_board, call):
    result = call(*COMPARISON)
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "new.run against old.run: better (more, sooner) †‡"
    assert lines[2].startswith("new.run is better than old.run: more, sooner. On 16 queries, ")
    assert len(lines) <= 50
    assert max(map(len, lines)) <= 100
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("challengers", [["new.run"], ["new.run", "copy.run"]])
def test_every_format_is_that_of_the_library(comparison_board, call, format_name, challengers):
    result = (
        compare("old.run", challengers, "labels.txt")
        if len(challengers) > 1
        else compare("old.run", challengers[0], "labels.txt")
    )
    shown = call("compare", "old.run", *challengers, "--qrels", "labels.txt", "--format", format_name)
    has_note = format_name not in ("csv", "latex")
    assert (shown.returncode, shown.stderr) == (0, "" if has_note else f"{result.measure_note}\n")
    expected = {
        "table": result.to_text(100),
        "json": result.to_json(),
        "csv": result.to_csv(),
        "latex": result.to_latex(),
        "markdown": result.to_markdown(),
    }
    if format_name == "html":
        assert shown.stdout.startswith("<!doctype html>")
        for paragraph in result.opening(0):
            assert f"<p>{escape(paragraph)}</p>" in shown.stdout
        assert shown.stdout.count("<table") == len(result.grids())
    else:
        assert shown.stdout == expected[format_name]


def test_output(comparison_board, call):
    written = call(*COMPARISON, "--format", "json", "--output", "comparison.json")
    assert (written.returncode, written.stdout, written.stderr) == (0, "", "")
    content = json.loads((comparison_board / "comparison.json").read_text(encoding="utf-8"))
    assert (content["champion"], content["challenger"]) == ("old.run", "new.run")


@pytest.mark.parametrize(
    "arguments, status",
    [
        (["old.run", "new.run", "--qrels", "labels.txt"], 0),
        (["new.run", "old.run", "--qrels", "labels.txt"], 1),
        (["old.run", "copy.run", "--qrels", "labels.txt"], 1),
        (["old.run", "new.run", "copy.run", "--qrels", "labels.txt"], 1),
        # At this level neither rule of Lin et al. says better: the overall verdict does, by the measure alone.
        (["old.run", "new.run", "--qrels", "labels.txt", "--alpha", "0.000001"], 0),
        (["old.run", "new.run", "--qrels", "labels.txt", "--alpha", "1e-13"], 1),
        (["old.run", "mixed.run", "--qrels", "labels.txt"], 1),  # a trade-off is not better
        (["old", "new", "--scores", "scores.csv"], 0),
        (["new", "old", "--scores", "scores.csv"], 1),
        (["old", "new", "--scores", "scores.csv", "--measure", "ESL@10"], 1),
        (["old.run", "absent.run", "--qrels", "labels.txt"], 2),
        (["old.run", "copy.run", "--qrels", "labels.txt", "--margin", "0.01"], 0),
        (["new.run", "old.run", "--qrels", "labels.txt", "--margin", "0.01"], 1),
        (["new", "old", "--scores", "scores.csv", "--margin", "0.9"], 0),
    ],
)
def test_exit_codes(comparison_board, call, arguments, status):
    with_code, without = call("compare", *arguments, "--exit-code"), call("compare", *arguments)
    assert (with_code.returncode, without.returncode) == (status, 2 if status == 2 else 0)
    assert with_code.stdout == without.stdout
    assert (with_code.stderr == "") == (status < 2)


def test_the_exit_code_follows_the_overall_verdict(comparison_board, call):
    """Whatever the two rules of Lin et al. say beside it."""
    for champion, challenger, alpha, overall, rule in (
        ("old.run", "new.run", "0.05", "better", "better"),
        ("old.run", "new.run", "0.000001", "better", "inconclusive"),
        ("new.run", "old.run", "0.000001", "worse", "inconclusive"),
        ("old.run", "mixed.run", "0.05", "trade-off", "trade-off"),
        ("old.run", "copy.run", "0.05", "inconclusive", "inconclusive"),
    ):
        result = call(
            "compare",
            champion,
            challenger,
            "--qrels",
            "labels.txt",
            "--alpha",
            alpha,
            "--exit-code",
            "--format",
            "json",
        )
        verdict = json.loads(result.stdout)["verdict"]
        assert (verdict["overall"], verdict["do_no_harm"]) == (overall, rule)
        assert result.returncode == (0 if overall == "better" else 1)


def test_sooner_by_ranks_or_by_reciprocal_ranks(comparison_board, call):
    """At ranks 1 and 5 against 2 and 4 mean ranks are the same, and mean reciprocal ranks are not."""
    (comparison_board / "wide.run").write_text(run_text([1, 5] * 8), encoding="utf-8")
    (comparison_board / "narrow.run").write_text(run_text([2, 4] * 8), encoding="utf-8")
    pair = ("wide.run", "narrow.run", "--qrels", "labels.txt", "-m", "RR@5")
    by_ranks, by_reciprocals = (shown_json(call, *pair, *more) for more in ((), ("--sooner", "reciprocal_ranks")))
    assert by_ranks["facets"]["sooner"]["difference"] == 0
    assert by_reciprocals["facets"]["sooner"]["difference"] == pytest.approx((1 / 2 + 1 / 4 - 1 - 1 / 5) / 2)
    assert by_reciprocals["facets"]["sooner"]["p"] == by_reciprocals["outcomes"]["rr"]["signed_rank_p"]
    assert by_ranks["facets"]["sooner"]["p"] == by_ranks["outcomes"]["esl"]["signed_rank_p"]
    assert by_ranks == shown_json(call, *pair, "--sooner", "ranks")
    assert "'time' is not one of 'ranks', 'reciprocal_ranks'" in call("compare", *pair, "--sooner", "time").stderr


def test_a_trade_off_has_its_break_even(comparison_board, call):
    content = shown_json(call, "old.run", "mixed.run", "--qrels", "labels.txt", "--depth", "5")
    assert content["verdict"]["how"] == ["more", "later"]
    assert isinstance(content["break_even"], list)
    figure = comparison_board / "curve.svg"
    done = call("compare", "old.run", "mixed.run", "--qrels", "labels.txt", "--figure", str(figure), "--chart",
                "break_even_curve")  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert figure.read_text(encoding="utf-8").startswith("<svg")
    assert "break-even" in done.stdout or "for users who read" in done.stdout
    refused = call(*COMPARISON, "--figure", str(figure), "--chart", "break_even_curve")
    assert refused.returncode == 2
    assert "this result has no chart 'break_even_curve'" in " ".join(refused.stderr.split())


def test_margin_evidence_and_judgments(comparison_board, call):
    (comparison_board / "judged.txt").write_text("q0 a b a\n")
    content = shown_json(call, *COMPARISON[1:], "--margin", "0.05")
    assert content["equivalence"]["margin"] == 0.05
    assert content["equivalence"]["verdict"] in ("equivalent", "no worse", "no better", "not shown")
    assert content["resolution"]["measure"]["smallest"] > 0
    lines = [line["key"] for line in content["evidence"]["lines"]]
    assert lines[0] == "t"
    alone = shown_json(call, *COMPARISON[1:], "--evidence", "--judgments", "judged.txt")
    assert [line["key"] for line in alone["lines"]][: len(lines)] == lines
    several = call("compare", *COMPARISON[1:3], "copy.run", *COMPARISON[3:], "--evidence")
    assert "Evidence on challengers of old.run" in several.stdout
    result = call("compare", "old", "new", "--scores", "scores.csv", "--judgments", "judged.txt")
    assert "--judgments needs ranked lists" in result.stderr


def shown_json(call, *arguments):
    return json.loads(call("compare", *arguments, "--format", "json").stdout)


def test_options_reach_the_result(comparison_board, call):
    assert shown_json(call, *COMPARISON[1:])["measure"] == "RR@10"
    content = shown_json(
        call, *COMPARISON[1:], "--measure", "AP@3", "--depth", "2", "--alpha", "0.01", "--correction", "bonferroni",
        "--queries", "half.txt", "--test", "sign", "--esl-test", "t",
    )  # fmt: skip
    assert (content["measure"], content["depth"], content["queries"]) == ("AP@3", 2, 8)
    assert (content["verdict"]["alpha"], content["verdict"]["correction"]) == (0.01, "bonferroni")
    assert "sign test" in content["verdict"]["sentence"]
    assert content["outcomes"]["challenger_only"] == 8
    assert content["outcomes"]["queries_more"] == {"champion": 0, "challenger": 8}
    assert list(content["facets"]) == ["measure", "more", "sooner"]
    several = shown_json(call, "old.run", "new.run", "copy.run", "--qrels", "labels.txt")
    assert (several["family_size"], [one["challenger"] for one in several["challengers"]]) == (
        6,  # three facets of two challengers
        ["new.run", "copy.run"],
    )


def test_graded_labels_level_and_gains(comparison_board, call):
    pair = ("old.run", "new.run", "--qrels", "graded.txt")
    assert shown_json(call, *pair)["ipso"] is None
    assert "write --gains 0,0.5,1" in " ".join(call("compare", *pair).stdout.split())
    assert shown_json(call, *pair, "--gains", "0,0.5,1")["ipso"]["challenger_favoured"] == 16
    assert shown_json(call, *pair, "--level", "2")["ipso"]["challenger_favoured"] == 16
    assert shown_json(call, *pair, "-m", "RR(rel=2)@5")["ipso"]["challenger_favoured"] == 16
    outcomes = shown_json(call, *pair, "--level", "3")["outcomes"]
    assert (outcomes["unanswerable"], outcomes["neither"], outcomes["queries_more"]) == (
        16, 0, {"champion": 0, "challenger": 0},
    )  # fmt: skip


def test_seed_and_trials(comparison_board, call):
    (comparison_board / "mixed.run").write_text(
        run_text([0, 1, 2, 0, 0, 3, 1, 0, 5, 1, 4, 2, 5, 3, 1, 4]), encoding="utf-8"
    )
    pair = ("old.run", "mixed.run", "--qrels", "labels.txt", "--trials", "99")
    first, again, other = (shown_json(call, *pair, "--seed", seed)["tests"] for seed in ("1", "1", "2"))
    assert first == again
    assert first["t"] == other["t"]
    assert first["bootstrap"] != other["bootstrap"]
    assert first["randomization"]["p"] * 100 == pytest.approx(round(first["randomization"]["p"] * 100))


def test_scores(comparison_board, call):
    result = call("compare", "old", "new", "--scores", "scores.csv", "-m", "AP")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("new against old: better †\n")
    content = shown_json(call, "old", "new", "--scores", "scores.csv")
    assert (list(content["facets"]), content["verdict"]["overall"]) == (["measure"], "better")
    assert (content["verdict"]["do_no_harm"], content["break_even"]) == (None, [])
    assert "Outcomes and IPSO need ranked lists and judgments; scores alone do not hold them." in result.stdout
    assert "Tests of AP over all queries (in brackets:" in result.stdout
    assert "Tests of score over all queries\n" in call("compare", "old", "new", "--scores", "scores.csv").stdout


def test_a_table_of_scores_by_several_measures(comparison_board, call):
    for name, score in (("old", "0.5"), ("new", "0.75")):
        rows = "".join(f"{query}\t{measure}\t{score}\n" for query in ("1", "2") for measure in ("AP", "my_score"))
        (comparison_board / f"{name}.eval").write_text(rows, encoding="utf-8")
    options = ("old.eval", "new.eval", "--scores", "*.eval", "-m", "my_score", "-m", "map", "--format", "csv")
    assert call("compare", *options).stdout.splitlines()[0].startswith("system,my_score")


BAD = [
    (["old.run", "--qrels", "labels.txt"], "Missing argument 'CHALLENGER...'"),
    (["old.run", "new.run"], "give either --qrels FILE, to compare runs, or --scores FILE"),
    (["old", "new", "--scores", "scores.csv", "--qrels", "labels.txt"], "give either --qrels FILE"),
    (["old", "new", "--scores", "scores.csv", "--depth", "5"], "--depth needs ranked lists and judgments"),
    (["old", "new", "--scores", "scores.csv", "--queries", "half.txt"], "--queries needs ranked lists"),
    (["old", "else", "--scores", "scores.csv"], "no scores of a run 'else'; expected one of old and new"),
    (["old.run", "old.run", "--qrels", "labels.txt"], "no challenger; expected at least one run beside the champion"),
    (["old.run", "new.run", "--qrels", "labels.txt", "-m", "RR@10", "P@5"], "if it is a measure, write -m P@5"),
    (["old.run", "new.run", "--qrels", "labels.txt", "-m", "infAP"], "infAP is computed by ir_measures; expected a"),
    (["old.run", "new.run", "--qrels", "labels.txt", "-m", "Foo"], "no measure is called 'Foo'"),
    (["old.run", "new.run", "--qrels", "labels.txt", "--gains", "0,x"], "'x' is not a number"),
    (["old.run", "new.run", "--qrels", "graded.txt", "--gains", "0,1"], "there are gains for the grades 0 to 1"),
    (["old.run", "new.run", "--qrels", "labels.txt", "--alpha", "1"], "--alpha"),
    (["old.run", "new.run", "--qrels", "labels.txt", "--depth", "0"], "--depth"),
    (["old.run", "new.run", "--qrels", "labels.txt", "--correction", "tukey"], "'tukey' is not one of 'none'"),
    (["old.run", "new.run", "--qrels", "labels.txt", "--test", "z"], "'z' is not one of 't', 'signed_rank'"),
    (["old.run", "new.run", "--qrels", "qrels.txt", "--queries", "half.txt"], "chosen queries are not in"),
]


@pytest.mark.parametrize("arguments, message", BAD)
def test_bad_input_and_usage(comparison_board, call, arguments, message):
    result = call("compare", *arguments, "--output", "out.txt", "--exit-code")
    assert (result.returncode, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr
    assert not (comparison_board / "out.txt").exists()


NAMES = ["<i>&'.run", "50%_$x^2#{~}\\.run", "検索-søk-🔍.run", "x" * 120 + ".run", "\x1b[2Jgone\nnext.run", "[red].run"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("format_name", ["table", "latex", "html"])
def test_any_file_name(comparison_board, call, name, format_name):
    (comparison_board / name).write_text(run_text(NEW), encoding="utf-8")
    result = call("compare", "old.run", name, "--qrels", "labels.txt", "--format", format_name, "--quiet")
    assert (result.returncode, result.stderr) == (0, "")
    assert "\x1b" not in result.stdout
    assert not any(line.startswith("next.run") for line in result.stdout.splitlines())
    assert "<i>" not in result.stdout or format_name != "html"
    if format_name == "latex":
        bare = re.sub(r"\\[\\{}%&$#_]", "", result.stdout)
        assert bare.count("{") == bare.count("}")


def test_a_program_that_asks(comparison_board, runoff_program, call):
    worse = ("compare", "new.run", "old.run", "--qrels", "labels.txt")
    done = runoff_program(*worse, "--exit-code", "--quiet", NO_COLOR="1")
    assert (done.returncode, done.stderr) == (1, "")
    done = call(*COMPARISON, "--exit-code", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")


def test_real_runs_from_the_command_line(shared_data, call):
    folder = shared_data / "robust03"
    runs = [os.fspath(folder / f"input.{name}.gz") for name in ("uic0301", "pircRBa1")]
    content = shown_json(call, *runs, "--qrels", os.fspath(folder / "qrels.txt.gz"), "-m", "AP", "--gains", "0,1,1")
    assert (content["queries"], content["depth"], content["challenger"]) == (100, 100, "input.pircRBa1")
    assert content["means"]["challenger"] == pytest.approx(0.3100, abs=1e-4)
