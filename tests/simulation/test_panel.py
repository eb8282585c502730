"""A panel judges pairs: errors, carelessness, sides and tasks as they were asked for."""

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.preferences import make_tasks, mark_test_pairs, quality
from runoff.simulation.panel import Panel, TruePairs, judge, simulate_answers
from runoff.tables.preferences import LEFT


def pairs(count, *, tests=0, per_task=10):
    number = np.arange(count)
    gap = np.where(number < count - tests, 1, 0)
    return TruePairs(query=number, good=2 * number, bad=2 * number + 1, gap=gap, task=number // per_task)


def judged(count=6000, *, copies=1, tests=0, **panel):
    defaults = {"own_error": np.full(4, 0.33), "is_careless": np.zeros(4, dtype=bool)}
    return judge(pairs(count, tests=tests), Panel(**defaults | panel), copies=copies, rng=np.random.default_rng(1))


def wrong(found):
    chosen = np.where(found.choice == LEFT, found.left, found.right)
    return chosen % 2 == 1  # the worse documents are odd


def test_the_error_is_the_one_asked_for():
    assert wrong(judged()).mean() == pytest.approx(0.33, abs=0.02)


def test_only_the_careless_fail_test_pairs():
    found = judged(tests=3000, is_careless=np.array([False, True, False, False]))
    is_test = found.expected != 0
    failed = is_test & (found.choice != found.expected)
    assert is_test.sum() == 3000
    assert set(found.assessor[failed].tolist()) == {1}
    assert failed[found.assessor == 1].sum() / (is_test & (found.assessor == 1)).sum() == pytest.approx(0.5, abs=0.06)


def test_every_task_is_done_by_different_assessors():
    found = judged(200, copies=3)
    for task in range(20):
        assert len(set(found.assessor[found.task == task].tolist())) == 3
    assert len(found.query) == 600


def test_sides_are_random_and_biased_if_asked():
    assert (judged().left % 2 == 0).mean() == pytest.approx(0.5, abs=0.03)
    assert (judged().choice == LEFT).mean() == pytest.approx(0.5, abs=0.03)
    assert (judged(side_bias=0.4).choice == LEFT).mean() == pytest.approx(0.7, abs=0.03)


def test_close_pairs_are_harder():
    assert wrong(judged(own_error=np.zeros(4), closeness=0.5)).mean() == pytest.approx(0.25, abs=0.03)


PAIRS = [(f"q{number}", "a", "b") for number in range(3000)]
TASKS = make_tasks(PAIRS, [(f"k{number}", "right", "wrong") for number in range(900)])
WORTH = {(query, "a"): 1.0 for query, _, _ in PAIRS}


def test_errors_are_as_frequent_as_said():
    answers = [row for row in simulate_answers(TASKS, error=0.33, worth=WORTH) if row.query_id.startswith("q")]
    assert sum(row.preferred == "b" for row in answers) / len(answers) == pytest.approx(0.33, abs=0.03)


def test_the_careful_pass_and_the_careless_fail():
    clean = quality(mark_test_pairs(simulate_answers(TASKS), TASKS.known_answers))
    assert (clean.tests, clean.failed_tests) == (900, 0)
    mixed = quality(mark_test_pairs(simulate_answers(TASKS, careless=0.25), TASKS.known_answers))
    assert len(mixed.excluded) == 5
    assert mixed.reissue


def test_made_up_worth_is_the_same_in_other_tasks():
    again = make_tasks(PAIRS[:100], [("k", "r", w) for w in "xyz"])
    first, second = (simulate_answers(tasks, error=0.0) for tasks in (TASKS, again))
    said = {row.query_id: row.preferred for row in first}
    assert all(said[row.query_id] == row.preferred for row in second if row.query_id != "k")


@pytest.mark.parametrize("change", [{"error": 0.6}, {"careless": 2.0}, {"assessors": 0}])
def test_impossible_assessors(change):
    with pytest.raises(UsageError, match="expected"):
        simulate_answers(TASKS, **change)
