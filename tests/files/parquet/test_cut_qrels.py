"""Labels between two queries: every judgment once, whatever the files, the index and the windows."""

import tempfile
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.errors import InputError
from runoff.files.parquet import cut_qrels as module
from runoff.files.parquet.cut_qrels import (
    Order,
    OutOfOrderError,
    Window,
    cut_qrels,
    is_rising,
    key_of,
    read_label_part,
    windows_of,
)
from runoff.files.parquet.parts import Part
from tests.files.samples import problems_of
from tests.files.sharded import write_shards

LIMIT = 1 << 30


def qrels_frame(queries, judged):
    rows = [(query, f"d{doc}", doc % 3) for query, count in zip(queries, judged, strict=False) for doc in range(count)]
    return pl.DataFrame(rows, schema=["query_id", "doc_id", "relevance"], orient="row")


def content(qrels):
    return list(qrels)


@settings(max_examples=40)
@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=15),
    st.lists(st.integers(0, 30), max_size=3),
    st.lists(st.integers(0, 40), max_size=4, unique=True),
    st.integers(1, 12), st.integers(1, 5), st.booleans(),
)  # fmt: skip
def test_every_judgment_once(judged, cuts, edges, part_rows, step, as_text):
    queries = [str(2 * place + 1) for place in range(len(judged))]
    order: Order = "text" if as_text else "number"
    queries, edges = sorted(queries, key=str if as_text else int), sorted(map(str, edges), key=str if as_text else int)
    frame = qrels_frame(queries, judged)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LOOK_ROWS", 7)
        write_shards(frame, Path(folder), [min(cut, len(frame)) for cut in cuts])
        cut = cut_qrels(folder, name="x", max_bytes=LIMIT, part_rows=part_rows, step=step)
        if len(frame) <= part_rows:
            assert cut is None
            return
        assert cut is not None
        assert (cut.queries, cut.rows, order in cut.orders) == (len(queries), len(frame), True)
        found: list[tuple[str, str, int]] = []
        owners: list[str] = []
        for low, high in pairwise([None, *edges, None]):
            for part in cut.parts(Window(low=low, high=high, order=order), part_rows=part_rows):
                some = read_label_part(part)
                assert all(query in part.window for query in some.query_ids)
                assert part.rows.rows <= part_rows + step * 5
                found += content(some)
                owners += some.query_ids
    assert found == [(query, doc, grade) for query, doc, grade in frame.iter_rows()]
    assert owners == queries


@pytest.mark.parametrize("queries", [["2", "1", "3"], ["a", "c", "b"], ["1", "2", "1"], ["1", "2", None]])
def test_labels_in_no_order(tmp_path, queries):
    write_shards(qrels_frame(queries, [2, 2, 2]), tmp_path, [3])
    assert cut_qrels(tmp_path, name="x", max_bytes=LIMIT, part_rows=2) is None


def test_a_fault_has_its_file_and_row(tmp_path):
    frame = qrels_frame(["1", "2", "3"], [2, 2, 2])
    frame[3, "doc_id"] = "d0"
    write_shards(frame, tmp_path, [3])
    cut = cut_qrels(tmp_path, name="x", max_bytes=LIMIT, part_rows=2, step=1)
    assert cut is not None
    parts = list(cut.parts(Window(low=None, high=None, order="number"), part_rows=2))
    assert [read_label_part(part).query_ids for part in (parts[0], parts[2])] == [("1",), ("3",)]
    (problem,) = problems_of(read_label_part, parts[1])
    assert problem.startswith(f"{tmp_path}/part-1.parquet:1: document 'd0' is judged twice for query '2'")


def test_labels_that_have_changed(tmp_path):
    write_shards(qrels_frame(["1", "2"], [2, 2]), tmp_path)
    cut = cut_qrels(tmp_path, name="x", max_bytes=LIMIT, part_rows=2)
    assert cut is not None
    (part,) = cut.parts(Window(low=None, high=None, order="number"), part_rows=9)
    write_shards(qrels_frame(["a", "b"], [2, 2]), tmp_path)
    with pytest.raises(InputError, match="has changed during the work"):
        read_label_part(part)


def parts_that_begin(*queries):
    return [Part(number=number, pieces=(), begins=query) for number, query in enumerate((None, *queries))]


def test_windows():
    first, second, third = windows_of(parts_that_begin("9", "10"), ("text", "number"))
    assert [(one.low, one.high, one.order) for one in (first, second, third)] == [
        (None, "9", "number"), ("9", "10", "number"), ("10", None, "number"),
    ]  # fmt: skip
    assert ("8" in first, "9" in first, "9" in second, "10" in second, "10" in third) == (
        True,
        False,
        True,
        False,
        True,
    )


@pytest.mark.parametrize("begins", [("9", "10", "9"), ("q", "p"), ("a", None)])
def test_no_windows(begins):
    with pytest.raises(OutOfOrderError):
        windows_of(parts_that_begin(*begins), ("number", "text"))


RISING = [
    (["9", "10", "11"], ["number"]),
    (["10", "11", "9"], ["text"]),
    (["10", "11", "12"], ["number", "text"]),
    (["q10", "q9", "é"], ["text"]),
    (["7", "07"], []),
    (["1", "1"], []),
    (["1", None], []),
    (["2" * 18, "3" * 19], ["text"]),
    ([], ["number", "text"]),
]


@pytest.mark.parametrize("ids, orders", RISING)
def test_the_orders_that_some_ids_are_in(ids, orders):
    assert [order for order in ("number", "text") if is_rising(pl.Series(ids, dtype=pl.String), order)] == orders


@pytest.mark.parametrize("query_id", ["", "q1", "-1", "01", "1 ", "²"])
def test_no_number(query_id):
    with pytest.raises(OutOfOrderError):
        key_of("number")(query_id)
    assert key_of("text")(query_id) == query_id
