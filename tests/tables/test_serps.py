"""SERPs: what can be asked of them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.reading.sources import as_qrels, as_run
from runoff.tables import NOTHING, UNJUDGED, Serps
from runoff.tables.serps import (
    MOST_VALUES,
    as_given,
    codes_of,
    numbers_of,
    recoding,
    unjudged_by_depth,
    values_of,
)

SERPS = Serps(
    run="bm25",
    query_ids=("q1", "q2", "q3"),
    grades=np.array([[2, UNJUDGED, 0], [UNJUDGED, 1, NOTHING], [NOTHING] * 3], dtype=np.int8),
    retrieved=np.array([5, 2, 0]),
    judged=np.array([[4, 0, 3], [1, 1, 0], [0, 2, 0]]),
    depth_tied=np.array([True, False, False]),
    tie_rule="trec_eval",
)


def test_shape():
    assert (SERPS.depth, SERPS.is_whole, SERPS.missing_queries, SERPS.extra_queries) == (3, False, 1, 0)


def test_some_rows():
    some = SERPS.rows(1, 3)
    assert (some.query_ids, some.retrieved.tolist(), some.depth_tied.tolist()) == (("q2", "q3"), [2, 0], [False, False])
    assert some.grades.tolist() == SERPS.grades[1:3].tolist()
    assert some.judged.tolist() == SERPS.judged[1:3].tolist()
    assert np.shares_memory(some.grades, SERPS.grades)


@pytest.mark.parametrize(
    "level, counts", [(0, [3, 1, 2]), (1, [3, 1, 2]), (2, [3, 0, 0]), (3, [0, 0, 0]), (100, [0, 0, 0])]
)
def test_relevant(level, counts):
    assert SERPS.relevant(level).tolist() == counts


@pytest.mark.parametrize("cutoff, share", [(None, 2 / 5), (1, 1 / 2), (2, 2 / 4), (0, 0.0)])
def test_unjudged_share(cutoff, share):
    assert SERPS.unjudged_share(cutoff) == share


def test_unjudged_shares_are_the_share_to_every_rank():
    expected = [SERPS.unjudged_share(rank) for rank in (1, 2, 3)]
    assert SERPS.unjudged_shares().tolist() == expected == [0.5, 0.5, 0.4]


def test_a_shorter_run_keeps_its_last_share():
    short = Serps(
        run="short", query_ids=SERPS.query_ids, grades=SERPS.grades[:, :2].copy(), retrieved=np.array([2, 2, 0]),
        judged=SERPS.judged, depth_tied=SERPS.depth_tied, tie_rule="trec_eval",
    )  # fmt: skip
    assert unjudged_by_depth([SERPS, short]).tolist() == [[0.5, 0.5, 0.4], [0.5, 0.5, 0.5]]


@given(st.lists(st.lists(st.integers(-2, 2), min_size=4, max_size=4), min_size=1, max_size=6))
def test_unjudged_shares_of_any_serps(rows):
    ended = [
        [*row[: row.index(NOTHING)], *[NOTHING] * (4 - row.index(NOTHING))] if NOTHING in row else row for row in rows
    ]
    grades = np.array(ended, dtype=np.int8)
    count = len(rows)
    serps = Serps(
        run="any", query_ids=tuple(map(str, range(count))), grades=grades, retrieved=(grades != NOTHING).sum(axis=1),
        judged=np.ones((count, 3), dtype=np.int64), depth_tied=np.zeros(count, dtype=bool), tie_rule="trec_eval",
    )  # fmt: skip
    assert serps.unjudged_shares().tolist() == [serps.unjudged_share(rank) for rank in (1, 2, 3, 4)]


def test_frozen():
    with pytest.raises(ValueError, match="read-only"):
        SERPS.grades[0, 0] = 1


def test_at_level_is_what_binary_labels_would_give():
    qrels = {"q1": {"a": 1, "b": 2, "c": 0, "d": 3}, "q2": {"a": 2, "c": -1}}
    run = as_run({"q1": {"b": 5.0, "a": 4.0, "x": 3.0, "c": 2.0, "d": 1.0}, "q2": {"c": 2.0}})
    for level in (1, 2, 3, 4):
        binary = {query: {doc: int(grade >= level) for doc, grade in docs.items()} for query, docs in qrels.items()}
        found = run.serps(as_qrels(qrels), depth=6).at_level(level)
        expected = run.serps(as_qrels(binary), depth=6)
        assert found.grades.tolist() == expected.grades.tolist()
        assert [found.relevant().tolist(), found.judged.sum(axis=1).tolist()] == [
            expected.relevant().tolist(), expected.judged.sum(axis=1).tolist()]  # fmt: skip


def test_fractions_at_a_level():
    qrels = {"q1": {"a": 0.9, "b": 2.5, "c": 0, "d": 1.8}, "q2": {"a": 1, "c": -0.5}}
    run = as_run({"q1": {"b": 5.0, "a": 4.0, "x": 3.0, "c": 2.0, "d": 1.0}, "q2": {"c": 2.0}})
    serps = run.serps(as_qrels(qrels), depth=6)
    assert serps.values == (0.9, 1.0, 1.8, 2.5)
    assert serps.gain_values().tolist() == [0.0, 0.9, 1.0, 1.8, 2.5]
    assert [serps.code_of(level) for level in (0.5, 1, 2, 3)] == [1, 2, 4, 5]
    assert [serps.relevant(level).tolist() for level in (1, 2, 3)] == [[2, 1], [1, 0], [0, 0]]
    for level in (1, 2, 3):
        binary = {query: {doc: int(grade >= level) for doc, grade in docs.items()} for query, docs in qrels.items()}
        found, expected = serps.at_level(level), run.serps(as_qrels(binary), depth=6)
        assert (found.grades.tolist(), found.values) == (expected.grades.tolist(), None)
        assert found.relevant().tolist() == expected.relevant().tolist()
    assert serps.rows(0, 1).values == serps.only(np.array([False, True])).values == serps.values


def test_some_queries_alone():
    from runoff.reading.sources import as_qrels, as_run

    qrels = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    run = as_run({"q1": {"a": 1.0}, "q2": {"x": 1.0, "b": 0.5}, "q9": {"x": 1.0}})
    found = run.serps(as_qrels(qrels), depth=2).only(np.array([True, False, True]))
    alone = run.serps(as_qrels(qrels, queries=["q1", "q3"]), depth=2)
    assert (found.query_ids, found.extra_queries) == (alone.query_ids, alone.extra_queries) == (("q1", "q3"), 2)
    for name in ("grades", "retrieved", "judged", "depth_tied"):
        np.testing.assert_array_equal(getattr(found, name), getattr(alone, name))


NUMBERS = st.lists(st.sampled_from([0.0, 0.1667, 0.5, 1.0, 1.8, 2.0, 127.0]), max_size=8)


@given(NUMBERS, st.integers(1, 3))
def test_codes_stand_for_the_grades(grades, level):
    values, array = values_of(grades), np.array(grades, dtype=np.float64)
    codes = codes_of(array, values)
    assert codes.dtype == np.int8
    assert numbers_of(128, values)[codes].tolist() == grades
    assert (codes >= replace(SERPS, values=values).code_of(level)).tolist() == (array >= level).tolist()
    assert (values is None) == all(grade == int(grade) for grade in grades)


@given(NUMBERS, NUMBERS)
def test_another_table(some, more):
    values = values_of([*some, *more])
    if values is not None:
        old = values_of(some)
        new = recoding(old, 128 if old is None else len(old) + 1, values)
        before = codes_of(np.array(some, dtype=np.float64), old)
        assert new[before].tolist() == codes_of(np.array(some, dtype=np.float64), values).tolist()


def test_levels_that_are_fractions():
    fractions = replace(SERPS, values=(0.5, 1.8))
    assert [fractions.code_of(level) for level in (0.5, 0.6, 1.8, 1.9)] == [1, 2, 2, 3]
    assert [SERPS.code_of(level) for level in (1, 1.2, 2)] == [1, 2, 2]


def test_as_many_values_as_there_are_codes():
    grades = [place / 64 for place in range(MOST_VALUES + 2)]
    values = values_of(grades[: MOST_VALUES + 1])
    assert values is not None
    assert codes_of(np.array(grades[: MOST_VALUES + 1]), values).tolist() == list(range(MOST_VALUES + 1))
    with pytest.raises(
        UsageError, match="128 different grades, some of them fractions; expected at most 127; if these"
    ):
        values_of(grades)


def test_as_given():
    assert [str(as_given(grade)) for grade in (1.0, -2.0, 0.5)] == ["1", "-2", "0.5"]
