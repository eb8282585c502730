"""Units: every run file or part once; the same SERPs as from reading; names that change with the content."""

import io
import pickle
from dataclasses import replace
from typing import Any

import pytest

from runoff.files import read_qrels, read_serps
from runoff.reading.score_units import (
    Unit,
    cluster_problem,
    digest_of_qrels,
    edition,
    score_unit,
    serps_of_units,
    units_of,
)
from runoff.tables.ranked_lists import ListRequest
from tests.files.samples import table_of
from tests.reading.boards_in_shards import write_both

ASKED: Any = {"name": "a", "max_bytes": 1 << 30}


@pytest.fixture
def board(tmp_path):
    write_both(tmp_path, runs=1)
    return tmp_path


@pytest.mark.parametrize("depth", [3, None])
@pytest.mark.parametrize("form, part_rows, count", [("text", 50, 1), ("parquet", 50, 16), ("parquet", 1000, 1)])
def test_the_same_serps(board, form, part_rows, count, depth):
    qrels = read_qrels(board / "text" / "qrels")
    units = units_of(board / form / "a", ListRequest(depth=depth), part_rows=part_rows, **ASKED)
    assert len(units) == count
    found = serps_of_units([score_unit(unit, qrels) for unit in units], units, qrels)
    expected = read_serps(board / "text" / "a", qrels, depth=depth)
    assert table_of(found) == table_of(expected)
    assert found.extra_queries == expected.extra_queries == 1


def test_a_text_file_that_is_not_in_order(tmp_path):
    file = tmp_path / "a"
    file.write_bytes(b"q1 Q0 d1 1 1 t\nq2 Q0 d1 1 1 t\nq1 Q0 d2 1 2 t\n")
    qrels = read_qrels(b"q1 0 d2 1\n")
    units = units_of(file, ListRequest(depth=2), **ASKED)
    assert serps_of_units([score_unit(units[0], qrels)], units, qrels).grades.tolist() == [[1, -1]]


def test_what_only_this_process_has():
    for source in ("-", b"q1 Q0 d1 1 1 t\n", io.BytesIO(b""), {"q": {"d": 1.0}}, "no such file"):
        assert units_of(source, ListRequest(depth=1), **ASKED) == ()


def test_keys_tell_everything_that_matters(board):
    first, second = (
        units_of(board / form / "a", ListRequest(depth=3), part_rows=1000, **ASKED)[0] for form in ("text", "parquet")
    )
    keys = {unit.key(labels) for unit in (first, second) for labels in ("x", "y")}
    keys |= {replace(first, depth=4).key("x"), replace(second, tie_rule="file").key("x")}
    keys |= {unit.key("x") for unit in units_of(board / "parquet" / "a", ListRequest(depth=3), part_rows=50, **ASKED)}
    assert len(keys) == 6 + 16
    assert replace(first, run="other").key("x") == first.key("x")
    (board / "text" / "a").write_bytes(b"q1 Q0 d1 1 1 t\n")
    assert first.key("x") not in keys


def test_the_digest_of_qrels():
    texts = (b"q 0 a 1\n", b"q 0 a 2\n", b"r 0 a 1\n", b"q 0 b 1\n", b"q 0 a 1\nq 0 b 1\n", b"q 0 a 1.5\n",
             b"q 0 a 0.5\n", b"q 0 a -1\n", b"q 0 a -0.5\n")  # fmt: skip
    assert len({digest_of_qrels(read_qrels(text)) for text in texts}) == len(texts)
    assert digest_of_qrels(read_qrels(texts[0], name="x")) == digest_of_qrels(read_qrels(texts[0], name="y"))


def test_units_and_qrels_travel(board):
    qrels = read_qrels(board / "text" / "qrels")
    qrels.table  # noqa: B018  # what is made from it must not travel
    packed = pickle.dumps(qrels)
    assert len(packed) < 20_000
    assert list(pickle.loads(packed)) == list(qrels)  # noqa: S301
    unit = units_of(board / "parquet" / "a", ListRequest(depth=3), **ASKED)[0]
    assert pickle.loads(pickle.dumps(unit)) == unit  # noqa: S301


def test_words(board):
    unit = Unit(run="a", tie_rule="file", depth=1, max_bytes=1, path="a.run")
    assert str(cluster_problem(unit, "is lost")) == "a.run: is lost"
    assert str(units_of(board / "parquet" / "a", ListRequest(depth=3), part_rows=30, **ASKED)[0]).startswith(str(board))
    assert "serp-part" in edition()
