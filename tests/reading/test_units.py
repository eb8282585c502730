"""Units: every run file or part once; the same SERPs as from reading; names that change with the content."""

import io
import pickle
import shutil
import threading
from collections.abc import Generator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.files import read_qrels, read_serps
from runoff.reading.units import (
    HereEngine,
    ResumedEngine,
    Unit,
    cluster_problem,
    digest_of_qrels,
    edition,
    score_unit,
    serps_of_units,
    units_of,
)
from runoff.tables.ranked_lists import ListRequest
from runoff.tables.serp_parts import PART_ARRAYS
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


class Counting(HereEngine):
    """This process, counting units; it stops after some of them, as if it were killed."""

    def __init__(self, most=None):
        self.done = 0
        self.most = most

    def scored(self, units, qrels):
        for part in HereEngine().scored(units, qrels):
            if self.done == self.most:
                raise KeyboardInterrupt
            self.done += 1
            yield part


def contents(parts):
    return [[getattr(part, name).tolist() for name in PART_ARRAYS] for part in parts]


@pytest.fixture
def work(tmp_path):
    write_both(tmp_path, runs=1)
    qrels = read_qrels(tmp_path / "text" / "qrels")
    asked: Any = {"name": "a", "max_bytes": 1 << 30, "part_rows": 50}
    make = partial(units_of, tmp_path / "parquet" / "a", ListRequest(depth=5), **asked)
    return make(), qrels, make


def test_resuming_after_an_interruption(work, tmp_path):
    units, qrels, _ = work
    expected = contents(HereEngine().scored(units, qrels))
    first = Counting(most=5)
    with pytest.raises(KeyboardInterrupt):
        list(ResumedEngine(first, tmp_path / "state").scored(units, qrels))
    second = Counting()
    engine = ResumedEngine(second, tmp_path / "state")
    assert contents(engine.scored(units, qrels)) == expected
    assert (engine.found, first.done + second.done) == (5, len(units))
    third = Counting()
    assert contents(ResumedEngine(third, tmp_path / "state").scored(units, qrels)) == expected
    assert third.done == 0


def test_results_that_are_dropped_half_way_wait_for_no_thread(work, tmp_path, monkeypatch):
    units, qrels, _ = work
    results = ResumedEngine(HereEngine(), tmp_path / "state").scored(units, qrels)
    assert isinstance(results, Generator)
    next(results)
    joined = []
    monkeypatch.setattr(threading.Thread, "join", lambda thread, timeout=None: joined.append(thread))
    results.close()  # as the garbage collector does it
    assert joined == []


def test_a_kept_result_is_opened_once(work, tmp_path, monkeypatch):
    units, qrels, _ = work
    list(ResumedEngine(HereEngine(), tmp_path / "state").scored(units, qrels))
    opened: list[str] = []
    load = np.load

    def counted(file, **options):
        opened.append(file.name)
        return load(file, **options)

    monkeypatch.setattr(np, "load", counted)
    list(ResumedEngine(Counting(most=0), tmp_path / "state").scored(units, qrels))
    assert len(opened) == len(set(opened)) == len(units)


def test_what_has_changed_is_done_again(work, tmp_path):
    units, qrels, again = work
    list(ResumedEngine(HereEngine(), tmp_path / "state").scored(units, qrels))
    other = Counting()
    list(ResumedEngine(other, tmp_path / "state").scored(units, read_qrels(b"q1 0 d1 1\n")))
    assert other.done == len(units)
    shard = tmp_path / "parquet" / "a" / "part-4.parquet"
    shard.write_bytes(shard.read_bytes())
    touched = Counting()
    units = again()
    list(ResumedEngine(touched, tmp_path / "state").scored(units, qrels))
    assert touched.done == sum(any(piece.shard.path == str(shard) for piece in unit.part.pieces) for unit in units) > 0


def test_a_damaged_result_is_done_again(work, tmp_path):
    units, qrels, _ = work
    expected = contents(ResumedEngine(HereEngine(), tmp_path / "state").scored(units, qrels))
    first, second, third, fourth, *_ = sorted((tmp_path / "state").iterdir())
    first.write_bytes(b"")
    second.write_bytes(second.read_bytes()[:200])
    third.write_bytes(fourth.read_bytes())  # whole, but of another part
    counting = Counting()
    assert contents(ResumedEngine(counting, tmp_path / "state").scored(units, qrels)) == expected
    assert counting.done == 3
    assert {file.suffix for file in (tmp_path / "state").iterdir()} == {".npz"}


def test_a_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UsageError, match="cannot be made"):
        ResumedEngine(HereEngine(), tmp_path / "file" / "state")


def test_a_folder_that_has_gone(work, tmp_path):
    units, qrels, _ = work
    engine = ResumedEngine(HereEngine(), tmp_path / "state")
    (tmp_path / "state").rmdir()
    with pytest.raises(UsageError, match="cannot be read"):
        list(engine.scored(units, qrels))
    (tmp_path / "state").mkdir()
    found = engine.scored(units, qrels)
    first = next(found)
    shutil.rmtree(tmp_path / "state")
    assert len(first.retrieved)
    with pytest.raises(UsageError, match="cannot be written to"):
        list(found)


def test_blocks_are_done_in_order(tmp_path):
    for engine in (HereEngine(), ResumedEngine(HereEngine(), tmp_path / "state")):
        found = engine.mapped(lambda block, asked: (asked, block), ["a", "b", "c"], [1, 2])
        assert list(found) == [(1, "a"), (1, "b"), (1, "c"), (2, "a"), (2, "b"), (2, "c")]
