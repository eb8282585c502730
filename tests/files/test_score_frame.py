"""Frames with a row for each run, query and measure."""

import numpy as np
import polars as pl
import pytest

from runoff.errors import InputError
from runoff.files.score_frame import scores_of_frame

ROWS = [
    ("a", "q1", "AP", 0.1), ("a", "q2", "AP", 0.2), ("b", "q1", "AP", 0.3), ("b", "q2", "AP", 0.4),
    ("a", "q1", "RR", 0.5), ("a", "q2", "RR", 1), ("b", "q1", "RR", 0.25), ("b", "q2", "RR", 0.0),
]  # fmt: skip


def frame_of(rows, names=("name", "qid", "measure", "value")):
    return {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}


class Frame(dict[str, list[object]]):
    """The least that a frame has."""

    @property
    def columns(self):
        return list(self)


def read(rows, names=("name", "qid", "measure", "value")):
    return scores_of_frame(Frame(frame_of(rows, names)))


@pytest.mark.parametrize("names", [("name", "qid", "measure", "value"), ("run", "query_id", "metric", "score")])
def test_a_table_per_measure_in_the_order_of_the_rows(names):
    tables = read(ROWS, names)
    assert [(table.measure, table.runs, tuple(table.query_ids)) for table in tables] == [
        ("AP", ("a", "b"), ("q1", "q2")), ("RR", ("a", "b"), ("q1", "q2")),
    ]  # fmt: skip
    np.testing.assert_array_equal(tables[1].values, [[0.5, 0.25], [1.0, 0.0]])


def test_a_frame_of_polars_with_ids_that_are_numbers():
    rows = [(name, int(query[1:]), measure, float(value)) for name, query, measure, value in ROWS]
    tables = scores_of_frame(pl.DataFrame(rows, schema=["name", "qid", "measure", "value"], orient="row"))
    assert tuple(tables[0].query_ids) == ("1", "2")


def test_measures_in_rows_of_another_order_are_over_the_same_queries():
    tables = read([*ROWS[:4], *reversed(ROWS[4:])])
    assert [(tuple(table.query_ids), table.runs) for table in tables] == [(("q1", "q2"), ("a", "b"))] * 2
    np.testing.assert_array_equal(tables[1].values, [[0.5, 0.25], [1.0, 0.0]])


def test_a_column_of_seeds():
    rows = [("dense", seed, query, "AP", 0.1 * seed) for seed in (1, 2) for query in ("p", "q")]
    tables = read(rows, ("name", "seed", "qid", "measure", "value"))
    assert tables[0].runs == ("dense#1", "dense#2")


@pytest.mark.parametrize(
    "rows, message",
    [
        ([*ROWS, ROWS[0]], "scores:9: AP of run 'a' for query 'q1' is listed twice, first at scores:1"),
        ([*ROWS[:-1], ("b", "q2", "RR", float("nan"))], "scores:8: score 'nan' is not a finite number"),
        ([*ROWS[:-1], ("b", "q2", "RR", "high")], "scores:8: score 'high' is not a finite number"),
        (ROWS[:7], "run 'b' has no RR for 1 of 2 queries: q2; expected a score of every run for every query"),
    ],
)
def test_faults(rows, message):
    with pytest.raises(InputError) as error:
        read(rows)
    assert message in str(error.value)


def test_other_columns():
    with pytest.raises(InputError, match=r"scores: no column for 'measure'"):
        read(ROWS, ("name", "qid", "AP", "value"))
    with pytest.raises(InputError, match="no rows"):
        scores_of_frame(Frame({"name": [], "qid": [], "measure": [], "value": []}))
    with pytest.raises(
        InputError, match=r"scores: a list is not a frame; expected one with the columns name, qid, measure"
    ):
        scores_of_frame(ROWS)
