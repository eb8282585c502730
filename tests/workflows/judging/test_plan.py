"""Pairs into batches: evenly, each pair once a copy, with test pairs, on random sides."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.store.campaign_plans import PlannedTask
from runoff.store.campaigns import Campaign
from runoff.workflows.judging.plan import check_known, deal_batches, more_copies
from tests.workflows.judging.campaigned import NOW

KNOWN = [("k", f"right {number}", f"wrong {number}") for number in range(5)]


def campaign_of(**changes):
    row = {"id": 1, "slug": "c", "title": "C", "state": "draft", "version": 1, "created_at": NOW, "started_at": None}
    return Campaign(**(row | {"planned_at": None} | changes))  # type: ignore[arg-type]


def pairs_of(number):
    return [(f"q{one % 3}", f"a{one}", f"b{one}") for one in range(number)]


@given(st.integers(1, 60), st.integers(1, 12), st.integers(0, 4), st.integers(1, 3), st.integers(0, 9))
def test_every_pair_is_once_in_every_copy_and_tasks_are_filled_evenly(number, size, tests, copies, seed):
    campaign = campaign_of(pairs_per_task=size, tests_per_task=tests, seed=seed)
    tasks = deal_batches(pairs_of(number), KNOWN, campaign, first_batch=7, copies=copies)
    assert len(tasks) == -(-number // size) * copies
    for copy in range(1, copies + 1):
        keys = [pair.key for task in tasks if task.copy == copy for pair in task.pairs if pair.expected is None]
        assert sorted(keys) == sorted(pairs_of(number))
    real = [sum(pair.expected is None for pair in task.pairs) for task in tasks]
    assert max(real) - min(real) <= 1
    for task in tasks:
        known = [pair for pair in task.pairs if pair.expected is not None]
        assert len({pair.key for pair in known}) == tests
        assert all((pair.left_doc if pair.expected == "left" else pair.right_doc).startswith("right") for pair in known)
    assert {task.batch for task in tasks} == set(range(7, 7 + len(tasks) // copies))
    assert tasks == deal_batches(pairs_of(number), KNOWN, campaign, first_batch=7, copies=copies)


def test_sides_and_orders_are_drawn():
    tasks = deal_batches(pairs_of(200), KNOWN, campaign_of(), first_batch=1, copies=1)
    left = Counter(pair.left_doc[0] for task in tasks for pair in task.pairs if pair.expected is None)
    assert 70 < left["a"] < 130
    places = Counter(place for task in tasks for place, pair in enumerate(task.pairs) if pair.expected)
    assert len(places) == 13


def test_more_copies_have_the_same_pairs_and_only_where_they_lack():
    dealt = deal_batches(pairs_of(30), KNOWN, campaign_of(), first_batch=1, copies=2)
    tasks = [
        PlannedTask(id=place, state="open", batch=task.batch, copy=task.copy, pairs=task.pairs)
        for place, task in enumerate(dealt)
        if (task.batch, task.copy) != (3, 2)
    ]
    new = more_copies(tasks, KNOWN, campaign_of(), copies=3)
    assert sorted((task.batch, task.copy) for task in new) == [(1, 3), (2, 3), (3, 2), (3, 3)]

    def real(task):
        return {pair.key for pair in task.pairs if pair.expected is None}

    assert all(real(task) == next(real(old) for old in tasks if old.batch == task.batch) for task in new)


def test_test_pairs_must_be_enough_and_apart():
    with pytest.raises(UsageError, match="1 test pairs; expected 3 or more"):
        check_known(pairs_of(1), KNOWN[:1], 3)
    with pytest.raises(UsageError, match="are a test pair and a pair to judge"):
        check_known([("k", "wrong 0", "right 0")], KNOWN, 3)
    check_known([], [], 3)
