"""Quality by test pairs."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runoff.errors import UsageError
from runoff.preferences import mark_test_pairs, quality, side_bias, timing, tournament
from runoff.tables import Preferences
from studies.assessors import AssessorsConfig, simulate_judgments
from tests.preferences.judged import judgments, mirrored

rows_with_tests = st.lists(
    st.tuples(
        st.sampled_from(["ann", "bob", None]),
        st.sampled_from(["t1", "t2", None]),
        st.sampled_from(["a", "b", None]),
        st.sampled_from(["a", "b", None]),
    ),
    min_size=1,
    max_size=25,
)


@given(rows_with_tests)
def test_equals_the_slow_rule(drawn):
    rows = [("q", "a", "b", preferred, who, task, None, expected) for who, task, preferred, expected in drawn]
    result = quality(Preferences.of(rows))
    failed = {row[4:6] for row in rows if row[7] and row[3] != row[7]} - {(None, None)}
    assert [tuple(row) for row in result.kept] == [row for row in rows if not row[7] and row[4:6] not in failed]
    assert result.discarded == sum(not row[7] and row[4:6] in failed for row in rows)
    assert (result.tests, result.failed_tests) == (
        sum(row[7] is not None for row in rows),
        sum(row[7] is not None and row[3] != row[7] for row in rows),
    )
    assert set(result.excluded) == {row[4] for row in rows if row[7] and row[3] != row[7]} - {None}
    done = {row[4:6] for row in rows}
    lost = {task for who, task in failed if task and not any(t == task and (w, t) not in failed for w, t in done)}
    assert {one.task for one in result.reissue} == lost
    for one in result.assessors:
        assert one.tasks == len({row[5] for row in rows if row[4] == one.assessor})
        assert one.failed_tasks == sum(who == one.assessor for who, _ in failed)


def test_more_assessors_per_task():
    rows = [("q", "a", "b", "b", who, "t", None, "a" if who == "bob" else "b") for who in ("ann", "bob", "cy")]
    (one,) = quality(Preferences.of(rows), assessors_per_task=3).reissue
    assert (one.task, one.missing, one.done_by) == ("t", 1, ("ann", "bob", "cy"))
    assert quality(Preferences.of(rows), assessors_per_task=2).reissue == ()


@given(rows_with_tests)
def test_all_of_an_assessor_who_failed_goes_if_that_is_asked_for(drawn):
    rows = [("q", "a", "b", preferred, who, task, None, expected) for who, task, preferred, expected in drawn]
    table = Preferences.of(rows)
    result, usual = quality(table, exclude="assessor"), quality(table)
    failed = {row[4:6] for row in rows if row[7] and row[3] != row[7]} - {(None, None)}
    out = {who for who, _ in failed if who}

    def counts(row):
        return row[4] not in out if row[4] else row[4:6] not in failed

    assert [tuple(row) for row in result.kept] == [row for row in rows if not row[7] and counts(row)]
    assert result.discarded == sum(not row[7] and not counts(row) for row in rows)
    assert (result.excluded, result.failed_tests) == (usual.excluded, usual.failed_tests)
    good: dict[str, set[str | None]] = {}
    for row in rows:
        if row[5] and counts(row):
            good.setdefault(row[5], set()).add(row[4])
    lost = {row[5]: result.assessors_per_task - len(good.get(row[5], ())) for row in rows if row[5] and not counts(row)}
    assert {one.task: one.missing for one in result.reissue} == {task: n for task, n in lost.items() if n > 0}


def test_three_assessors_per_task_are_counted_by_themselves():
    """Three did t1, of whom one failed; three did t2 well; t3 was failed by two of three."""
    wrong = {("cy", "t1"), ("bob", "t3"), ("cy", "t3")}
    rows = [
        ("q", "a", "b", "b" if (who, task) in wrong else "a", who, task, None, "a")
        for task in ("t1", "t2", "t3") for who in ("ann", "bob", "cy")
    ]  # fmt: skip
    result = quality(Preferences.of(rows))
    assert result.assessors_per_task == 3
    assert [(one.task, one.missing) for one in result.reissue] == [("t1", 1), ("t3", 2)]
    # Without all of bob's and cy's tasks every task needs two more.
    result = quality(Preferences.of(rows), exclude="assessor")
    assert [(one.task, one.missing) for one in result.reissue] == [("t1", 2), ("t2", 2), ("t3", 2)]


def test_a_failed_test_of_nobody_discards_nothing():
    result = quality(Preferences.of([("q", "a", "b", "b", None, None, None, "a"), ("q", "a", "c", "a")]))
    assert (result.unplaced, result.discarded, len(result.kept)) == (1, 0, 1)


def test_an_impossible_number():
    with pytest.raises(UsageError, match="expected 1 or more"):
        quality(Preferences.of([]), assessors_per_task=0)
    with pytest.raises(UsageError, match="expected 'task' or 'assessor'"):
        quality(Preferences.of([]), exclude="everybody")  # type: ignore[arg-type]


def test_careless_assessors_are_found_and_the_careful_stay():
    made = simulate_judgments(AssessorsConfig(careless=0.25, assessors=20, queries=150, seed=2))
    careless = {name for name, bad in zip(made.preferences.assessors, made.is_careless, strict=True) if bad}
    result = quality(made.preferences, assessors_per_task=3)
    assert set(result.excluded) == careless
    kept = result.kept
    share = np.isin(kept.row_assessor, np.flatnonzero(made.is_careless)).mean()
    assert share < 0.25 / 4  # one task in eight passes three coins
    assert len(result.reissue) > 0


def found(made, table):
    result = tournament(table)
    winners = dict(zip(result.query_ids, result.winners, strict=True))
    return np.mean([best in winners.get(q, ()) for q, best in zip(table.query_ids, made.best, strict=True)])


def test_discarding_the_careless_finds_the_best_more_often():
    made = simulate_judgments(AssessorsConfig(careless=0.5, error=0.1, queries=400, judgments_per_pair=5, seed=3))
    assert found(made, quality(made.preferences).kept) > found(made, made.preferences) + 0.05


@given(st.lists(st.tuples(st.sampled_from("qr"), st.sampled_from(["ab", "ba", "ac", "bc"])), max_size=12))
def test_marked_pairs_are_those_named(drawn):
    rows = [(query, pair[0], pair[1], pair[0]) for query, pair in drawn]
    marked = mark_test_pairs(Preferences.of(rows), [("q", "a", "b"), ("q", "nobody", "b"), ("x", "a", "b")])
    assert [row.expected for row in marked] == [
        "a" if row[0] == "q" and set(row[1:3]) == {"a", "b"} else None for row in rows
    ]


@given(judgments())
def test_equals_slow_counts(rows):
    result = side_bias(Preferences.of(rows))
    lefts, rights = sum(row[3] == row[1] for row in rows), sum(row[3] == row[2] for row in rows)
    assert (result.left.wins, result.left.losses) == (lefts, rights)
    for one in result.assessors:
        own = [row for row in rows if row[4] == one.assessor]
        assert one.left.wins == sum(row[3] == row[1] for row in own)
        assert one.left.losses == sum(row[3] == row[2] for row in own)
        assert one.left.even == sum(row[3] is None for row in own)
        assert one.p >= one.left.p
    assert {one.assessor for one in result.assessors} == {row[4] for row in rows} - {None}
    assert result.family is None or result.family.size == len(result.assessors)


@given(judgments())
def test_mirrored_sides_mirror_the_share(rows):
    first, second = side_bias(Preferences.of(rows)).left, side_bias(Preferences.of(mirrored(rows))).left
    assert first.wins == second.losses
    assert first.p == pytest.approx(second.p)


def test_a_simulated_bias_is_found_and_none_is_not():
    biased = simulate_judgments(AssessorsConfig(side_bias=0.2, seed=1)).preferences
    found = side_bias(biased).left
    assert found.share == pytest.approx(0.5 + 0.2 / 2, abs=0.03)
    assert found.p == pytest.approx(stats.binomtest(found.wins, found.wins + found.losses).pvalue)
    assert found.p < 1e-6
    assert side_bias(simulate_judgments(AssessorsConfig(seed=1)).preferences).left.p > 0.05


times = st.lists(
    st.tuples(st.sampled_from(["ann", "bob", None]), st.one_of(st.none(), st.floats(0, 100))), min_size=1, max_size=30
)


@given(times, st.floats(0, 100))
def test_equals_slow_counts_timing(rows, below):
    result = timing(Preferences.of([("q", "a", "b", "a", who, None, time) for who, time in rows]), below=below)
    for one in (result.overall, *result.assessors):
        known = [time for who, time in rows if time is not None and one.assessor in (None, who)]
        assert one.timed == len(known)
        if known:
            assert one.median == pytest.approx(statistics.median(known))
            assert one.too_fast == pytest.approx(sum(time < below for time in known) / len(known))
    assert {one.assessor for one in result.assessors} == {who for who, time in rows if who and time is not None}


def test_without_times():
    overall = timing(Preferences.of([("q", "a", "b", "a")])).overall
    assert overall.timed == 0
    assert math.isnan(overall.median)


def test_an_impossible_limit():
    with pytest.raises(UsageError, match="expected seconds"):
        timing(Preferences.of([]), below=-1)
