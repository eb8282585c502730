import json

import pytest


def test_pairs_labels_and_changes(call, board):
    (board / "votes.txt").write_text("q1 z a z\n")
    labels = ("--labels", "qrels.txt", "--judgments", "votes.txt")
    done = call("maintain", "poor.run", *labels, "--pairs-out", "p.txt", "--labels-out", "l2.qrels", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    content = json.loads(done.stdout)
    assert (content["version"], content["replaced"]) == (2, [{"query": "q1", "old": ["a"], "new": ["z"]}])
    assert (board / "p.txt").read_text() == ""
    assert (board / "l2.qrels").read_text().startswith("# runoff labels\n# version 2\n# parent sha256:")
    changes = call("maintain", "good.run", "poor.run", "--old", "qrels.txt", "--new", "l2.qrels", "--format", "json")
    assert json.loads(changes.stdout)["changed"] == ["q1"]
    assert json.loads(changes.stdout)["is_child"] is True


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("poor.run",), "give either --labels FILE, or --old FILE and --new FILE"),
        (("poor.run", "--old", "qrels.txt"), "give either --labels FILE"),
        (("--old", "qrels.txt", "--new", "qrels.txt"), "--old and --new need RUNs"),
        (("--labels", "qrels.txt"), "neither runs nor judgments"),
    ],
)
def test_bad_usage(call, board, arguments, message):
    done = call("maintain", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
