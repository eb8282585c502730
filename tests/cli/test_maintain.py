import json

import pytest


def test_pairs_labels_and_changes(call, board):
    (board / "votes.txt").write_text("q1 z a z\n")
    labels = ("--labels", "qrels.txt", "--judgments", "votes.txt")
    done = call("maintain", "poor.run", *labels, "--pairs-out", "p.txt", "--labels-out", "l2.qrels", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    content = json.loads(done.stdout)
    assert (content["version"], content["replaced"]) == (2, [{"query": "q1", "old": ["a"], "new": ["a", "z"]}])
    assert content["keeps_grades"] is True
    single = json.loads(call("maintain", *labels, "--single-answers", "--format", "json").stdout)
    assert single["replaced"] == [{"query": "q1", "old": ["a"], "new": ["z"]}]
    assert (single["keeps_grades"], single["single_answers"]) == (False, True)
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
        (("--labels", "qrels.txt", "--sequential"), "--sequential needs --labels FILE and RUNs"),
        (("a.run", "--old", "qrels.txt", "--new", "qrels.txt", "--sequential"), "--sequential needs --labels FILE"),
    ],
)
def test_bad_usage(call, board, arguments, message):
    done = call("maintain", *arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_in_sequence_until_nothing_is_due(call, board):
    found = ("maintain", "good.run", "poor.run", "--labels", "qrels.txt", "--sequential", "--format", "json")
    first = call(*found, "--pairs-out", "p.txt")
    assert (first.returncode, first.stderr) == (0, "")
    due = json.loads(first.stdout)["due"]
    assert due
    lines = [f"{one['query']} {one['candidate']} {one['best']}\n" for one in due for _ in range(one["judgments"])]
    assert (board / "p.txt").read_text() == "".join(lines)
    (board / "votes.txt").write_text("".join(f"{line.strip()} {line.split()[1]}\n" for line in lines))
    leads = ("--keep-lead", "1", "--replace-lead", "2", "--most-judgments", "2")
    last = call(*found, *leads, "--judgments", "votes.txt", "--labels-out", "l2.qrels")
    assert json.loads(last.stdout)["plan"] == {"keep_lead": 1, "replace_lead": 2, "most_judgments": 2}
    assert {one["query"] for one in json.loads(last.stdout)["replaced"]} == {one["query"] for one in due}
    assert (board / "l2.qrels").read_text().startswith("# runoff labels\n# version 2\n")
