"""Engines: results in order; what is kept in a folder is not done again, and nothing else is taken for done."""

import shutil
from functools import partial
from typing import Any

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.files import read_qrels
from runoff.reading.engines import HereEngine, ResumedEngine
from runoff.reading.score_units import units_of
from runoff.tables.ranked_lists import ListRequest
from runoff.tables.serp_parts import PART_ARRAYS
from tests.reading.boards_in_shards import write_both


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
