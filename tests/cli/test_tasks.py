import json

import pytest

MAKE = ("tasks", "good.run", "poor.run", "--qrels", "qrels.txt", "--tests-per-task", "1", "--tasks-out", "t.csv")


def test_tasks_in_files(call, board):
    (board / "q.tsv").write_text("q1\tone\nq2\ttwo\n")
    (board / "d.tsv").write_text("".join(f"{doc}\ttext {doc}\n" for doc in "abcdz"))
    texts = ("--query-texts", "q.tsv", "--doc-texts", "d.tsv")
    files = ("--sheet", "s.csv", "--jsonl", "j.jsonl", "--mturk", "m.csv", "--label-studio", "l.json")
    done = call(*MAKE, *texts, *files, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    written = {one["file"] for one in json.loads(done.stdout)["files"]}
    assert written == {"t.csv", "s.csv", "j.jsonl", "m.csv", "m.html", "l.json", "l.xml"}
    assert all((board / name).stat().st_size for name in written)
    again = call("tasks", "--from", "t.csv", *texts, "--sheet", "again.csv")
    assert again.returncode == 0
    assert (board / "again.csv").read_text() == (board / "s.csv").read_text()


def test_simulated_answers_are_tallied_and_not_asked_again(call, board):
    call(*MAKE, "--simulate-judgments", "0", "--judgments-out", "v.csv")
    assert (board / "v.csv").read_text().count("\n") == 4
    again = call(*MAKE, "--judged", "v.csv", "--format", "json")
    assert json.loads(again.stdout)["left_out"] == 2


def test_only_some_tasks(call, board):
    call(*MAKE)
    (board / "only.csv").write_text("task,missing,done_by\nnone,1,\n")
    done = call("tasks", "--from", "t.csv", "--only", "only.csv")
    assert done.returncode == 2
    assert "1 of 1 chosen tasks are not in t.csv" in done.stderr


def test_pairs_and_test_pairs_of_ones_own(call, board):
    (board / "p.txt").write_text("q1 a z\n")
    (board / "k.txt").write_text("q2 c b\n")
    done = call("tasks", "--pairs", "p.txt", "--test-pairs", "k.txt", "--tests-per-task", "1", "--format", "json")
    assert json.loads(done.stdout)["test_pairs"] == 1


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("tasks",), "give either RUNs and --qrels FILE"),
        (("tasks", "good.run"), "RUNs need --qrels FILE"),
        ((*MAKE, "--sheet", "s.csv"), "--sheet needs --query-texts FILE"),
        ((*MAKE, "--simulate-judgments", "0.1"), "--judgments-out FILE together"),
        ((*MAKE, "--only", "x"), "--only chooses among the tasks of --from"),
    ],
)
def test_bad_usage(call, board, arguments, message):
    done = call(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert not (board / "t.csv").exists()
