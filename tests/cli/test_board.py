import json

import pytest


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 d 1\nq2 0 d 1\n")
    (tmp_path / "good.run").write_text("q1 Q0 d 1 2 t\nq2 Q0 d 1 2 t\n")
    (tmp_path / "poor.run").write_text("q1 Q0 x 1 2 t\nq1 Q0 d 2 1 t\n")
    (tmp_path / "board.toml").write_text(
        'title = "Mine"\nmeasure = "RR@10"\n[labels.all]\npath = "qrels.txt"\n'
        '[[runs]]\npath = "good.run"\n[[runs]]\npath = "poor.run"\n'
    )
    return tmp_path


def test_runs(call, folder):
    done = call(
        "board",
        *(f"{folder}/{name}.run" for name in ("poor", "good")),
        "--qrels",
        f"{folder}/qrels.txt",
        "--format",
        "json",
    )
    content = json.loads(done.stdout)
    assert [run["run"] for run in content["runs"]] == ["good.run", "poor.run"]
    assert content["measure"] == "RR@10"


def test_a_board_file(call, folder):
    done = call("board", f"{folder}/board.toml", "--trials", "10")
    assert done.returncode == 0
    assert "Mine" in done.stdout
    assert "good.run leads on 2 queries" in done.stdout


def test_claims_of_a_board(call, folder):
    """A run that finds both answers against one that finds one of them, later: too few queries for any claim."""
    content = json.loads(call("board", f"{folder}/board.toml", "--trials", "10", "--format", "json").stdout)
    first, second = content["runs"]
    assert [run["run"] for run in (first, second)] == ["good.run", "poor.run"]
    assert (first["verdict"], second["verdict"]) == (None, "inconclusive")
    assert (first["how"], second["how"]) == ([], [])
    assert first["rank_set"] == second["rank_set"] == [1, 2]
    assert first["could_be_best"] is second["could_be_best"] is True
    assert (first["missing_queries"], second["missing_queries"]) == (0, 1)
    assert not {"best_set", "alike"} & {*content, *first}
    shown = call("board", f"{folder}/board.toml", "--trials", "10").stdout
    assert "Any of the 2 runs could be the best, with 95% confidence." in " ".join(shown.split())
    header = call("board", f"{folder}/board.toml", "--trials", "10", "--format", "csv").stdout.splitlines()[0]
    assert {"rank_set", "group", "verdict", "p"} <= set(header.split(","))


def test_depth_level_and_gains_of_a_board_can_be_overruled(call, folder):
    (folder / "qrels.txt").write_text("q1 0 d 2\nq2 0 d 1\n")
    common = ("board", f"{folder}/board.toml", "--trials", "10")
    assert call(*common, "--gains", "0,0.5,1", "--depth", "5").returncode == 0
    at_level = " ".join(call(*common, "--level", "2").stdout.split())
    assert "1 query has no relevant document in the labels" in at_level


def test_the_rule_for_records_is_the_boards_unless_another_is_given(call, folder):
    board = folder / "board.toml"
    common = ("board", str(board), "--trials", "10", "--format", "json")
    assert json.loads(call(*common).stdout)["record_rule"] == "fallback"
    board.write_text(f'record_rule = "holm"\n{board.read_text()}')
    assert json.loads(call(*common).stdout)["record_rule"] == "holm"
    assert json.loads(call(*common, "--record-rule", "spending").stdout)["record_rule"] == "spending"


def test_other_ways_to_look_at_it(call, folder):
    runs = [f"{folder}/{name}.run" for name in ("poor", "good")]
    common = ("board", *runs, "--qrels", f"{folder}/qrels.txt", "--trials", "20", "--format", "json")
    by_verdict = json.loads(call(*common, "--order", "verdict", "--alpha", "0.1").stdout)
    assert (by_verdict["order"], by_verdict["alpha"]) == ("verdict", 0.1)
    assert by_verdict["runs"][0]["copeland"] == 0
    assert "beats" in json.loads(call(*common, "--rank-table").stdout)
    assert json.loads(call(*common, "--interval-scaled").stdout)["leaders"]["measure"] == "good.run"


def test_evidence_and_costs(call, folder):
    done = call("board", f"{folder}/board.toml", "--trials", "20", "--evidence", "first", "--format", "json")
    assert json.loads(done.stdout)["pairs"][0]["challenger"] == "poor.run"
    assert "--judgments goes with --evidence" in call("board", f"{folder}/board.toml", "--judgments", "x").stderr
    text = (folder / "board.toml").read_text()
    priced = text.replace('"good.run"', '"good.run"\ncosts = { latency_ms = 90 }')
    priced = priced.replace('"poor.run"', '"poor.run"\ncosts.latency_ms = 5')
    (folder / "board.toml").write_text(priced)
    content = json.loads(call("board", f"{folder}/board.toml", "--trials", "20", "--format", "json").stdout)
    assert [(run["costs"], run["frontier"]) for run in content["runs"]] == [
        ({"latency_ms": 90.0}, True), ({"latency_ms": 5.0}, True),
    ]  # fmt: skip
    shown = call("board", f"{folder}/board.toml", "--trials", "20").stdout
    assert "Each of the 2 runs with known costs is on the frontier of the mean and latency_ms." in " ".join(
        shown.split()
    )
    figure = folder / "costs.svg"
    assert call("board", f"{folder}/board.toml", "--figure", str(figure), "--chart", "cost_frontier").returncode == 0
    assert figure.read_text().startswith("<svg")


def test_a_matrix_of_scores(call, folder):
    (folder / "m.csv").write_text("a,b\n0.1,0.2\n0.3,0.5\n")
    content = json.loads(
        call("board", "--scores", f"{folder}/m.csv", "-m", "AP", "--trials", "20", "--format", "json").stdout
    )
    assert [run["run"] for run in content["runs"]] == ["b", "a"]
    assert content["measure"] == "AP"
    assert [(run["verdict"], run["how"], run["missing_queries"]) for run in content["runs"]] == [
        (None, [], None), ("inconclusive", [], None),
    ]  # fmt: skip


def test_scores_in_several_files(call, folder):
    for name in ("a", "b", "c"):
        (folder / f"{name}.tsv").write_text("q1\tmy_score\t0.5\nq2\tmy_score\t0.25\nall\tmy_score\t0.375\n")
    files = [str(folder / f"{name}.tsv") for name in ("a", "b", "c")]
    for options in (["--scores", *files], ["--scores", files[0], "--scores", files[1], files[2]]):
        content = json.loads(call("board", *options, "-m", "my_score", "--trials", "20", "--format", "json").stdout)
        assert [run["run"] for run in content["runs"]] == ["a.tsv", "b.tsv", "c.tsv"]
        assert content["title"] == "a.tsv and 2 more"


def test_import_and_published_means(call, folder):
    (folder / "old").mkdir()
    (folder / "old" / "20210101-x").mkdir()
    (folder / "old" / "20210101-x" / "metadata.json").write_text("{}")
    (folder / "old" / "20210101-x" / "x.run").write_text("q1 Q0 d 1 2 t\n")
    target = f"{folder}/new.toml"
    done = call("board", "--import", f"{folder}/old", "--qrels", f"{folder}/qrels.txt", "-o", target)
    assert "1 runs from" in done.stdout or "1 run from" in done.stdout
    assert "20210101-x leads on 2 queries" in call("board", target, "--trials", "10").stdout
    (folder / "means.toml").write_text('title = "T"\nmeasure = "RR@10"\n[[runs]]\nname = "a"\nscores.private = 0.4\n')
    assert "Only the means are known" in call("board", f"{folder}/means.toml").stdout


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["good.run"], "give RUNs and --qrels FILE"),
        ([], "give RUNs and --qrels FILE"),
        (["good.run", "--scores", "m.csv", "--qrels", "qrels.txt"], "give RUNs and --qrels FILE"),
        (["--scores", "m.csv", "-m", "AP", "-m", "RR"], "this takes --scores of one measure"),
        (["board.toml", "--qrels", "qrels.txt"], "or a board.toml alone"),
        (["board.toml", "-m", "AP"], "board.toml names its measure"),
        (["board.toml", "--queries", "qrels.txt"], "leave -m and --queries out"),
        (["good.run", "--import", "qrels.txt"], "--import takes no runs"),
        (["good.run", "--qrels", "qrels.txt", "--labels", "x"], "--labels and --query-set go with a board.toml"),
    ],
)
def test_options_that_do_not_fit_together(call, folder, arguments, message):
    paths = [str(folder / one) if (folder / one).is_file() else one for one in arguments]
    done = call("board", *paths)
    assert done.returncode == 2
    assert message in done.stderr
