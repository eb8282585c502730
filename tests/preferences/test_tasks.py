"""Tasks: every pair as often as wanted, never twice in a task, sides and order at random."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.preferences import TaskPlan, draw_known_pairs, judging_cost, make_pools, make_tasks
from runoff.preferences.tasks import known_pairs_needed, pair_id
from runoff.tables import Preferences
from tests.preferences.pooled import drawn_board, qrels_of

KNOWN = [(f"k{number}", "right", "wrong") for number in range(7)]


def pairs_of(number):
    return [(f"q{place % 5}", f"a{place}", f"b{place}") for place in range(number)]


def key(row):
    return (row.query_id, *sorted((row.left, row.right)))


@given(st.integers(0, 60), st.integers(1, 12), st.integers(0, 4), st.integers(1, 3), st.integers(0, 3))
def test_laws(number, per_task, tests, copies, seed):
    plan = TaskPlan(pairs_per_task=per_task, tests_per_task=tests, judgments_per_pair=copies, seed=seed)
    pairs = pairs_of(number)
    made = make_tasks(pairs, KNOWN, plan=plan)
    real = [row for row in made if row.expected is None]
    assert Counter(map(key, real)) == Counter(dict.fromkeys(pairs, copies))
    assert len(made) == -(-number // per_task) * copies
    assert len(made.pairs) - len(real) == len(made) * tests == known_pairs_needed(number, plan)
    sizes = []
    for rows in made.by_task.values():
        assert [row.place for row in rows] == list(range(1, len(rows) + 1))
        assert len({row.pair for row in rows}) == len(rows)
        sizes.append(sum(row.expected is None for row in rows))
        assert sum(row.expected == "right" for row in rows) == tests
    assert not sizes or (max(sizes) - min(sizes) <= 1 and max(sizes) <= per_task)
    assert made == make_tasks(pairs[::-1], KNOWN, plan=plan)


def test_sides_and_places_are_random():
    made = make_tasks(pairs_of(2000), KNOWN)
    left = sum(row.left.startswith("a") for row in made if row.expected is None)
    assert 900 < left < 1100
    right = [row for row in made if row.expected is not None]
    assert 0.4 < sum(row.left == "right" for row in right) / len(right) < 0.6
    assert len({row.place for row in right}) == 13


def test_another_seed_and_other_pairs_have_other_ids():
    one, two, three = (make_tasks(pairs_of(n), KNOWN, plan=TaskPlan(seed=s)) for n, s in ((30, 0), (30, 1), (31, 0)))
    ids = [set(made.by_task) for made in (one, two, three)]
    assert not ids[0] & ids[1]
    assert not ids[0] & ids[2]
    assert {row.pair for row in one} == {row.pair for row in two}


def test_judged_pairs_are_left_out():
    pairs = pairs_of(30)
    judged = Preferences.of([(q, b, a, a) for q, a, b in pairs[:10]] + [(q, a, b, a) for q, a, b in pairs[:5]])
    once = make_tasks(pairs, KNOWN, judged=judged)
    assert {key(row) for row in once if row.expected is None} == set(pairs[10:])
    twice = make_tasks(pairs, KNOWN, judged=judged, plan=TaskPlan(judgments_per_pair=2))
    expected = Counter(dict.fromkeys(pairs[10:], 2)) + Counter(pairs[5:10])
    assert Counter(key(row) for row in twice if row.expected is None) == expected
    everything = Preferences.of([(q, a, b, a) for q, a, b in pairs])
    assert len(make_tasks(pairs, KNOWN, judged=everything)) == 0


def test_test_pairs_that_cannot_be_used():
    with pytest.raises(UsageError, match="2 test pairs; expected 3 or more"):
        make_tasks(pairs_of(3), KNOWN[:2])
    with pytest.raises(UsageError, match="are a test pair and a pair to judge"):
        make_tasks(pairs_of(3), [*KNOWN, ("q0", "b0", "a0")])
    with pytest.raises(UsageError, match="pairs_per_task=0 cannot be used; expected 1 or more"):
        TaskPlan(pairs_per_task=0)


def test_ids_of_pairs_keep_fields_apart():
    assert pair_id("q", "a", "bc") != pair_id("q", "ab", "c")


def test_a_pair_that_is_listed_several_times_is_dealt_as_often():
    pairs = [("q", "a", "b"), ("q", "b", "a"), ("q", "a", "c"), ("q", "a", "b")]
    made = make_tasks(pairs, KNOWN, plan=TaskPlan(tests_per_task=1))
    assert Counter(map(key, (row for row in made if row.expected is None))) == {("q", "a", "b"): 3, ("q", "a", "c"): 1}
    assert [len(rows) for rows in made.by_task.values()] == [3, 2, 2]
    judged = Preferences.of([("q", "b", "a", "a")] * 2)
    assert len(make_tasks(pairs, KNOWN, plan=TaskPlan(tests_per_task=1), judged=judged)) == 1


@pytest.mark.parametrize(
    "pairs, tasks, total",
    [(141_887, 14_189, 34_053.60), (6980, 698, 1675.20), (4210, 421, 1010.40), (0, 0, 0), (1, 1, 2.4)],
)
def test_costs_of_the_paper(pairs, tasks, total):
    # Arabzadeh et al. 2021: "over $34,000"; 6,980 and 4,210 pairs cost $1,720 and $1,022 with pilot tests
    cost = judging_cost(pairs)
    assert (cost.tasks, cost.total) == (tasks, total)


def test_every_judgment_of_a_pair_is_paid():
    assert judging_cost(95, judgments_per_pair=3, pay=1.0, fee=0.2).total == pytest.approx(36.0)


def test_impossible_numbers():
    with pytest.raises(UsageError, match="pairs_per_task is 0"):
        judging_cost(5, pairs_per_task=0)


LABELS = {f"q{number}": [f"d{number}", "shared"] for number in range(20)}


def test_right_answers_are_labels_and_wrong_ones_are_off_topic():
    qrels = qrels_of(LABELS)
    drawn = draw_known_pairs(make_pools([], qrels), qrels, 60)
    assert len(drawn) == 60
    for query, right, wrong in drawn:
        assert right == f"d{query[1:]}"
        assert wrong in {f"d{number}" for number in range(20)} - {right}
    assert {query for query, _, _ in drawn[:20]} == set(LABELS)
    assert drawn == draw_known_pairs(make_pools([], qrels), qrels, 60)
    assert drawn != draw_known_pairs(make_pools([], qrels), qrels, 60, seed=1)


def test_documents_of_the_pool_are_not_off_topic():
    runs, qrels = drawn_board(5, docs=8)
    pools = make_pools(runs, qrels)
    pooled = {(query, doc) for query, *pair in pools.pairs() for doc in pair}
    for query, _, wrong in draw_known_pairs(pools, qrels, 30):
        assert (query, wrong) not in pooled


def test_where_none_can_be_drawn():
    alone = qrels_of({"q1": ["a"]})
    with pytest.raises(UsageError, match="1 query has a relevant document; expected two or more"):
        draw_known_pairs(make_pools([], alone), alone, 3)
    same = qrels_of({"q1": ["a"], "q2": ["a"]})
    with pytest.raises(UsageError, match="no document of another query is off topic"):
        draw_known_pairs(make_pools([], same), same, 3)
