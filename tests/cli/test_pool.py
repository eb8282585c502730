import json


def test_pools_and_files(call, board):
    done = call("pool", "good.run", "poor.run", "--qrels", "qrels.txt", "--pairs-out", "pairs.txt", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["pairs"] == 2
    assert (board / "pairs.txt").read_text() == "q1 a z\nq2 c d\n"


def test_a_sample_that_is_too_large(call, board):
    done = call("pool", "good.run", "poor.run", "--qrels", "qrels.txt", "--sample", "3", "--queries-out", "s.txt")
    assert done.returncode == 2
    assert "expected 1 to 2, the queries whose pool" in done.stderr
    assert not (board / "s.txt").exists()


def test_a_board(call, board):
    text = 'title = "t"\nmeasure = "RR@10"\ndepth = 100\n[labels.a]\npath = "qrels.txt"\n'
    text += '[[runs]]\npath = "good.run"\n[[runs]]\npath = "poor.run"\n'
    (board / "board.toml").write_text(text, encoding="utf-8")
    listed = call("pool", "good.run", "poor.run", "--qrels", "qrels.txt", "--format", "json").stdout
    done = call("pool", "board.toml", "--format", "json")
    assert (json.loads(done.stdout)["pairs"], json.loads(done.stdout)["depth"]) == (json.loads(listed)["pairs"], 1)
    assert "or a board.toml" in call("pool", "good.run").stderr
