"""A panel judges pairs: errors, carelessness, sides and tasks as they were asked for."""

import numpy as np
import pytest

from runoff.simulation.panel import Panel, TruePairs, judge
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
