"""Simulated assessors keep to what they were told."""

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.preferences import count_pairs
from studies.assessors import AssessorsConfig, simulate_judgments


def errs(made, gap=None):
    """The share of real judgments that prefer the worse document, of pairs so many places apart."""
    table = made.preferences
    rank = np.empty(len(table.docs), dtype=np.int64)
    rank[made.order] = np.arange(made.config.pool)
    rows = ~table.is_test
    left, right, choice = rank[table.left[rows]], rank[table.right[rows]], table.choice[rows]
    chosen = np.ones(len(choice), dtype=np.bool_) if gap is None else np.abs(left - right) == gap
    return float((np.where(choice == 1, left > right, right > left))[chosen].mean())


def test_the_same_seed_gives_the_same_judgments():
    one, two, other = (simulate_judgments(AssessorsConfig(queries=20, seed=seed)).preferences for seed in (5, 5, 6))
    assert list(one) == list(two)
    assert list(one) != list(other)


def test_every_pair_is_judged_by_different_assessors():
    config = AssessorsConfig(queries=30, pool=4, judgments_per_pair=3)
    table = simulate_judgments(config).preferences
    counts = count_pairs(table)
    assert len(counts) == 30 * 6
    assert (counts.votes == 3).all()
    judged = {(int(pair), int(table.row_assessor[row])) for pair, row in zip(counts.row_pair, counts.rows, strict=True)}
    assert len(judged) == 30 * 6 * 3


def test_tasks_have_their_pairs_and_tests():
    table = simulate_judgments(AssessorsConfig(queries=20, pool=4, judgments_per_pair=2)).preferences
    for task in range(len(table.tasks)):
        rows = table.row_task == task
        assert (table.is_test & rows).sum() == 3 * 2
        assert (~table.is_test & rows).sum() == 10 * 2


def test_errors_are_as_frequent_as_said():
    assert errs(simulate_judgments(AssessorsConfig(queries=500, error=0.33))) == pytest.approx(0.33, abs=0.02)
    close = simulate_judgments(AssessorsConfig(queries=2000, error=0.1, closeness=0.5))
    for gap in (1, 2, 3):
        assert errs(close, gap) == pytest.approx(0.1 + 0.4 * 0.5**gap, abs=0.02)


def test_assessors_have_errors_of_their_own():
    made = simulate_judgments(AssessorsConfig(error=0.2, spread=0.1, assessors=500))
    assert made.own_error.min() >= 0.1
    assert made.own_error.max() <= 0.3
    assert made.own_error.std() > 0.04


def test_only_the_careless_fail_test_pairs():
    made = simulate_judgments(AssessorsConfig(careless=0.3, side_bias=0.3))
    table = made.preferences
    failed = table.is_test & (table.choice != table.expected)
    assert failed.any()
    assert made.is_careless[table.row_assessor[failed]].all()


@pytest.mark.parametrize(
    "change, message",
    [
        ({"pool": 1}, "pool is 1; expected 2 to"),
        ({"error": 0.6}, "error is 0.6"),
        ({"assessors": 2}, "assessors is 2; expected 3 to"),
        ({"closeness": float("nan")}, "closeness is nan"),
    ],
)
def test_impossible_assessors_are_refused(change, message):
    with pytest.raises(UsageError, match=message):
        AssessorsConfig(**change)
