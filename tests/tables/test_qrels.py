"""Qrels: counts, lookups, subsets."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import InputError, UsageError
from runoff.tables import Ids, Qrels

PAIRS = st.dictionaries(
    st.tuples(st.sampled_from("123"), st.sampled_from(["1", "2", "3", "long-document-id", "d"])),
    st.integers(-3, 3),
    min_size=1,
)


def qrels_of(grades):
    queries = tuple(dict.fromkeys(query for query, _ in grades))
    rows = sorted(
        ((queries.index(query), doc, grade) for (query, doc), grade in grades.items()), key=lambda row: row[0]
    )
    return Qrels(
        name="qrels",
        query_ids=queries,
        row_query=np.array([place for place, *_ in rows]),
        docs=Ids.of(doc for _, doc, _ in rows),
        relevance=np.array([grade for *_, grade in rows], dtype=np.int8),
    )


@given(PAIRS)
def test_rows_and_counts(grades):
    qrels = qrels_of(grades)
    assert {(query, doc): grade for query, doc, grade in qrels} == grades
    assert len(qrels) == len(grades)
    width = max(0, *grades.values()) + 1
    for query, counts in zip(qrels.query_ids, qrels.judged.tolist(), strict=True):
        found = [max(grade, 0) for (judged, _), grade in grades.items() if judged == query]
        assert counts == [found.count(grade) for grade in range(width)]


ASKED = st.tuples(st.sampled_from("1234"), st.sampled_from(["1", "2", "x", "d", "long-document-id"]))


@given(PAIRS, st.lists(ASKED))
def test_rows_of(grades, pairs):
    qrels = qrels_of(grades)
    places = np.array([qrels.query_places.get(query, -1) for query, _ in pairs], dtype=np.int64)
    rows = qrels.rows_of(places, Ids.of(doc for _, doc in pairs))
    judged = list(qrels)
    assert [judged[row] if row >= 0 else None for row in rows.tolist()] == [
        (*pair, grades[pair]) if pair in grades else None for pair in pairs
    ]


@given(PAIRS, st.data())
def test_only_some_queries(grades, data):
    qrels = qrels_of(grades)
    wanted = data.draw(st.lists(st.sampled_from(qrels.query_ids), unique=True))
    some = qrels.only(wanted)
    assert list(some) == [row for row in qrels if row[0] in wanted]
    assert some.query_ids == tuple(query for query in qrels.query_ids if query in wanted)
    assert some.judged.shape[0] == len(wanted)


def test_unknown_queries():
    with pytest.raises(UsageError) as caught:
        qrels_of({("1", "d"): 1}).only(["7", "1", "8"])
    assert str(caught.value) == (
        "2 of 3 chosen queries are not in qrels, the first is '7'; expected queries with judgments; "
        "check the list of queries"
    )


def test_a_table_that_judges_twice_is_refused():
    twice = Qrels(
        name="mine",
        query_ids=("q",),
        row_query=np.array([0, 0]),
        docs=Ids.of(["d", "d"]),
        relevance=np.array([1, 2], dtype=np.int8),
    )
    with pytest.raises(InputError) as caught:
        _ = twice.table
    assert str(caught.value) == (
        "mine: document 'd' is judged twice for query 'q'; expected every document once per query; "
        "remove one of the rows"
    )


def test_frozen_and_shown():
    qrels = qrels_of({("1", "d"): 1, ("2", "d"): 0})
    assert repr(qrels) == "<Qrels qrels: 2 judgments for 2 queries>"
    with pytest.raises(ValueError, match="read-only"):
        qrels.relevance[0] = 2


FRACTIONS = st.dictionaries(
    st.tuples(st.sampled_from("123"), st.sampled_from(["1", "2", "3", "long-document-id", "d"])),
    st.sampled_from([-2.0, -0.5, -0.25, 0.0, 0.1667, 0.9, 1.0, 1.8, 3.0]),
    min_size=1,
)


def graded(grades):
    plain = qrels_of(dict.fromkeys(grades, 0))
    numbers = np.array([grades[query, doc] for query, doc, _ in plain])
    return Qrels.of_grades("qrels", plain.query_ids, plain.row_query, plain.docs, numbers)


@given(FRACTIONS, st.data())
def test_grades_that_are_fractions(grades, data):
    qrels = graded(grades)
    assert {(query, doc): grade for query, doc, grade in qrels} == grades
    assert all(isinstance(grade, int) == (grade == int(grade)) for *_, grade in qrels)
    wanted = data.draw(st.lists(st.sampled_from(qrels.query_ids), unique=True))
    assert list(qrels.only(wanted)) == [row for row in qrels if row[0] in wanted]
    assert list(pickle.loads(pickle.dumps(qrels))) == list(qrels)  # noqa: S301
    assert (qrels.relevance > 0).tolist() == [grade > 0 for *_, grade in qrels]
    assert qrels.judged.sum() == len(qrels)


def test_some_queries_are_coded_as_if_they_were_alone():
    grades = {("1", "a"): 2.0, ("1", "b"): -1.0, ("2", "a"): 0.5, ("2", "b"): -0.5}
    qrels = graded(grades)
    assert (qrels.values, qrels.below) == ((0.5, 2.0), (-0.5, -1.0))
    some = qrels.only(["1"])
    assert (some.relevance.tolist(), some.values, some.below, some.is_part) == ([2, -1], None, None, True)


def test_whole_grades_have_no_table():
    qrels = graded({("1", "a"): 2.0, ("1", "b"): -1.0, ("2", "a"): 0.0})
    assert (qrels.relevance.tolist(), qrels.values, qrels.below) == ([2, -1, 0], None, None)
    below = graded({("1", "a"): 2.0, ("1", "b"): -0.5, ("2", "a"): 0.0})
    assert (below.relevance.tolist(), below.values, below.below) == ([2, -1, 0], None, (-0.5,))


def test_arrays_at_an_odd_address():
    """As they come from another process, where one buffer holds several."""
    there = qrels_of({("1", "d"): 1, ("2", "e"): 2})
    shifted = []
    for array in (there.row_query, there.docs.bounds):
        held = np.zeros(array.nbytes + 1, dtype=np.uint8)
        held[1:] = np.frombuffer(array.tobytes(), dtype=np.uint8)
        shifted.append(held[1:].view(np.int64))
    row_query, bounds = shifted
    assert not row_query.flags.aligned
    qrels = replace(there, row_query=row_query, docs=Ids(there.docs.text, bounds))
    assert qrels.rows_of(np.array([1, 0]), qrels.docs.take(np.array([1, 1]))).tolist() == [1, -1]
