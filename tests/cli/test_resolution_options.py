"""--resolution and --difference of compare and board, and what cannot be asked together."""

import json

import pytest


@pytest.fixture
def folder(tmp_path):
    queries = range(8)
    (tmp_path / "qrels.txt").write_text("".join(f"q{one} 0 d 1\n" for one in queries))
    (tmp_path / "old.run").write_text("".join(f"q{one} Q0 x 1 2 t\nq{one} Q0 d 2 1 t\n" for one in queries))
    (tmp_path / "new.run").write_text("".join(f"q{one} Q0 {'xd'[one % 2]} 1 2 t\n" for one in queries))
    (tmp_path / "board.toml").write_text(
        'title = "Mine"\nmeasure = "RR@10"\n[labels.all]\npath = "qrels.txt"\n'
        '[[runs]]\npath = "old.run"\n[[runs]]\npath = "new.run"\n'
    )
    (tmp_path / "scores.csv").write_text("query,a,b\n1,0.1,0.2\n2,0.5,0.3\n3,0.2,0.6\n")
    return tmp_path


def test_every_verb_that_has_it(call, folder):
    runs = [f"{folder}/old.run", f"{folder}/new.run", "--qrels", f"{folder}/qrels.txt"]
    more = ["--resolution", "--difference", "0.02", "--format", "json"]
    for verb in ("compare", "board"):
        found = json.loads(call(verb, *runs, "-m", "RR@10", "-m", "AP@5", "-m", "RR@10", *more).stdout)
        assert [row["measure"] for row in found["measures"]] == ["RR@10", "AP@5"]
        assert {row["difference"] for row in found["measures"]} == {0.02}
    described = json.loads(call("board", f"{folder}/board.toml", "-m", "AP@5", *more).stdout)
    assert [row["measure"] for row in described["measures"]] == ["RR@10", "AP@5"]
    scored = json.loads(call("board", "--scores", f"{folder}/scores.csv", "-m", "AP", *more).stdout)
    assert scored["measures"][0]["tests"]["t"]["smallest"] > 0


@pytest.mark.parametrize(
    "options, message",
    [
        (["--difference", "0.1"], "goes with --resolution"),
        (["--resolution", "--evidence"], "--resolution and --evidence both print"),
        (
            ["--scores", "{folder}/scores.csv", "-m", "AP", "-m", "RR"],
            "a matrix holds scores of one measure, not of AP and RR",
        ),
    ],
)
def test_what_cannot_be_asked_together(call, folder, options, message):
    chosen = [one.format(folder=folder) for one in options]
    labels = [] if "--scores" in options else ["--qrels", f"{folder}/qrels.txt"]
    done = call("compare", f"{folder}/old.run", f"{folder}/new.run", *labels, *chosen)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())


def test_a_board_prints_one_table(call, folder):
    done = call("board", f"{folder}/board.toml", "--resolution", "--rank-table")
    assert done.returncode == 2
    assert "--resolution and --rank-table both print" in " ".join(done.stderr.split())
