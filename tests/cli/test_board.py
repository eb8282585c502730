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


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["good.run"], "give --qrels FILE with runs"),
        (["board.toml", "--qrels", "qrels.txt"], "board.toml names its labels and queries"),
        (["good.run", "--qrels", "qrels.txt", "--labels", "x"], "--labels and --query-set go with a board.toml"),
    ],
)
def test_options_that_do_not_fit_together(call, folder, arguments, message):
    paths = [str(folder / one) if (folder / one).is_file() else one for one in arguments]
    done = call("board", *paths)
    assert done.returncode == 2
    assert message in done.stderr
