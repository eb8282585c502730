"""Pairs into batches: evenly, each pair once a copy, with test pairs, on random sides."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.server.cases.judging.plan import DuePair, check_known, deal_batches, deal_due, more_copies
from runoff.server.store.campaign_plans import PlannedPair, PlannedTask
from runoff.server.store.campaigns import Campaign
from tests.server.cases.judging.campaigned import NOW

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


def real(task):
    return {pair.key for pair in task.pairs if pair.expected is None}


@given(st.data(), st.integers(1, 40), st.integers(1, 8), st.integers(9, 20))
def test_everybody_who_is_needed_for_a_pair_can_take_its_tasks(data, number, size, people):
    """However pairs were met before: of each task so many are left as it has copies, if each pair alone leaves them."""
    due = []
    for pair in pairs_of(number):
        wanted = data.draw(st.integers(1, 3))
        met = data.draw(st.frozensets(st.integers(1, people), max_size=people - wanted))
        due.append(DuePair(pair=pair, wanted=wanted, met=met))
    campaign = campaign_of(pairs_per_task=size, tests_per_task=1)
    tasks = deal_due(due, KNOWN, campaign, first_batch=3, active=range(1, people + 1))
    met_by = {PlannedPair(query_id=one.pair[0], left_doc=one.pair[1], right_doc=one.pair[2]).key: one for one in due}
    asked = Counter(key for task in tasks for key in real(task))
    assert asked == {key: one.wanted for key, one in met_by.items()}
    for task in tasks:
        assert 0 < len(real(task)) <= size
        had = frozenset().union(*(met_by[key].met for key in real(task)))
        copies = sum(other.batch == task.batch for other in tasks)
        assert people - len(had) >= min(copies, max(met_by[key].wanted for key in real(task)))


def test_small_batches_can_wait():
    due = [DuePair(pair=pair, wanted=2) for pair in pairs_of(7)]
    campaign = campaign_of(pairs_per_task=5, tests_per_task=1)
    tasks = deal_due(due, KNOWN, campaign, first_batch=1, active=range(9), fewest=3)
    assert [len(real(task)) for task in tasks] == [5, 5]
    assert [(task.batch, task.copy) for task in tasks] == [(1, 1), (1, 2)]
    assert deal_due([], KNOWN, campaign, first_batch=1, active=()) == ()
