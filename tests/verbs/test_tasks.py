"""Tasks from runs or pairs, with texts."""

import pytest

from runoff.errors import InputError, UsageError
from runoff.preferences import TaskPlan
from runoff.verbs.tasks import tasks, tasks_of_pairs, with_texts
from tests.verbs.tallied import ANSWERS, MADE, QRELS, RUNS

DOCS = "".join(f"d{number}\ttext {number}\n" for number in range(8)).encode()
QUERIES = "".join(f"q{number}\tquestion {number}\n" for number in range(12)).encode()


def test_everything_is_dealt_out_once():
    assert MADE.tasks.real_pairs == MADE.pairs
    assert MADE.left_out == 0
    assert MADE.cost.total == pytest.approx(len(MADE.tasks) * 2.4)
    again = tasks(RUNS, QRELS, plan=TaskPlan(tests_per_task=2), judged=ANSWERS)
    assert (len(again.tasks), again.left_out) == (0, MADE.pairs)


def test_pairs_of_ones_own():
    pairs = [("q1", "d1", "d2")]
    assert len(tasks_of_pairs(pairs, QRELS, plan=TaskPlan(tests_per_task=1)).tasks.pairs) == 2
    assert len(tasks_of_pairs(pairs, plan=TaskPlan(tests_per_task=0)).tasks.pairs) == 1
    own = tasks_of_pairs(pairs, known=[("q9", "d1", "d2")], plan=TaskPlan(tests_per_task=1))
    assert own.tasks.known_answers == (("q9", "d1", "d2"),)
    with pytest.raises(UsageError, match="no qrels to draw test pairs from"):
        tasks_of_pairs(pairs)


def test_texts():
    files = with_texts(MADE.tasks, QUERIES, DOCS)
    assert "question 1" in files.sheet()
    assert files.jsonl().count("\n") == len(MADE.tasks.pairs)
    assert files.mturk()[1].startswith("<script")
    assert files.label_studio()[1].startswith("<View>")
    with pytest.raises(InputError, match="no text of document 'd"):
        with_texts(MADE.tasks, QUERIES, DOCS[:20])
