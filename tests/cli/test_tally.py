import json

import pytest

VOTES = "q1 a z z\nq2 c d c\n"


@pytest.fixture
def votes(board):
    (board / "votes.txt").write_text(VOTES)
    return board


def test_a_tally_and_its_files(call, votes):
    done = call(
        "tally", "votes.txt", "votes.txt", "--runs", "*.run", "--qrels", "qrels.txt", "--qrels-out", "new.qrels",
        "--reissue-out", "again.csv", "--format", "json",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    content = json.loads(done.stdout)
    assert content["judgments"] == 2
    assert content["files"][1]["same_as"] == "votes.txt"
    assert set(content["wins"]) == {"good.run", "poor.run", "perfect ranking"}
    assert (votes / "new.qrels").read_text() == "q1 0 z 1\nq2 0 c 1\n"
    assert (votes / "again.csv").read_text() == "task,missing,done_by\n"


@pytest.mark.parametrize("number, status", [(3, 0), (20, 1)])
def test_the_exit_code(call, board, number, status):
    names = [f"t{place}" for place in range(number)]
    (board / "votes.txt").write_text("".join(f"{name} new old new\n" for name in names))
    (board / "x.run").write_text("".join(f"{name}\tnew\t1\n" for name in names))
    (board / "l.qrels").write_text("".join(f"{name} 0 old 1\n" for name in names))
    options = ("--runs", "x.run", "--qrels", "l.qrels", "--exit-code", "--no-bradley-terry")
    assert call("tally", "votes.txt", *options).returncode == status


def test_faults(call, votes):
    (votes / "bad.txt").write_text("q1 a b c\n")
    done = call("tally", "bad.txt", "--qrels-out", "new.qrels")
    assert (done.returncode, done.stdout) == (2, "")
    assert "bad.txt:1: preferred 'c' is neither 'a' nor 'b'" in done.stderr
    assert not (votes / "new.qrels").exists()
