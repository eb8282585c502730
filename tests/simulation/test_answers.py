"""Simulated answers keep to what they were told."""

import pytest

from runoff.errors import UsageError
from runoff.preferences import make_tasks, mark_test_pairs, quality
from runoff.simulation.answers import simulate_answers

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
