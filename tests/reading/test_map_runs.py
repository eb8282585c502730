"""The SERPs of runs: labels that are cut like the runs give all verbs the numbers of labels in memory."""

import json
import shutil
from functools import partial

import polars as pl
import pytest

from runoff.boards import _bootstrap
from runoff.errors import InputError
from runoff.files.parquet import cut_qrels as cutting
from runoff.files.parquet import sharded_runs
from runoff.files.parquet.cut_qrels import CutQrels
from runoff.measures import _base
from runoff.reading import sources as inputs
from runoff.reading.engines import HereEngine, ResumedEngine
from runoff.reading.map_runs import map_runs
from runoff.reading.sources import ReadOptions, as_labels
from runoff.tables import scores as scoring
from runoff.tables.memory import Scratch
from runoff.tables.qrels import Qrels
from runoff.verbs.board import board, board_from_file
from runoff.verbs.compare import compare_all
from runoff.verbs.evaluate import evaluate
from runoff.verbs.reliability import reliability
from tests.reading.boards_in_shards import write_sorted

BOARD = """
title = "Board"
measure = "RR@10"
[labels.all]
path = "qrels"
[[runs]]
name = "one"
path = "a"
[[runs]]
name = "two"
path = "b"
"""


@pytest.fixture(autouse=True)
def steps(monkeypatch):
    """An index of every second query, so that labels are cut too."""
    monkeypatch.setattr(inputs, "cut_qrels", partial(cutting.cut_qrels, step=2))


empty = Scratch.empty


def write_text(run, folder):
    """The same run as a file of text."""
    file = folder / f"{run[-1]}.txt"
    rows = pl.read_parquet(f"{run}/*.parquet").rows()
    file.write_text("".join(f"{query} Q0 {doc} 1 {score} {run[-1]}\n" for query, doc, score in rows))
    return str(file)


class Watched(HereEngine):
    """This process; it knows whether labels were sent along."""

    def __init__(self):
        self.labels = []

    def scored(self, units, qrels):
        self.labels.append(qrels)
        return super().scored(units, qrels)


def answers(runs, qrels, reading):
    results = (
        evaluate(runs, qrels, measures=["RR@5", "nDCG@10", "bpref", "AP"], reading=reading).per_query(),
        compare_all(runs[0], runs[1:], qrels, reading=reading),
        board(runs, qrels, trials=20, measure="nDCG@5", reading=reading),
        reliability(runs, qrels, splits=3, reading=reading),
    )
    return [json.dumps(result.to_dict()) for result in results]


@pytest.mark.parametrize("order", [int, str])
def test_the_numbers_of_labels_in_memory(tmp_path, order):
    runs, qrels = write_sorted(tmp_path, order=order, queries=8), str(tmp_path / "qrels")
    expected = answers(runs, qrels, ReadOptions())
    watched, again = Watched(), ResumedEngine(HereEngine(), tmp_path / "state")
    for reading in (
        ReadOptions(part_rows=8, engine=watched),
        ReadOptions(part_rows=30),
        ReadOptions(part_rows=30, engine=again),
    ):
        assert answers(runs, qrels, reading) == expected
    assert watched.labels == [None] * 4


@pytest.fixture
def slabs(monkeypatch):
    """Slabs of a few rows."""
    for module in (scoring, _bootstrap, _base):
        monkeypatch.setattr(module, "SLAB_CELLS", 64)


@pytest.mark.parametrize("part_rows", [30, 1 << 20])
def test_the_numbers_of_boards_in_memory(tmp_path, monkeypatch, slabs, part_rows):
    """A board in files, slab by slab: labels that are cut and labels in memory."""
    runs, qrels = write_sorted(tmp_path, queries=45), str(tmp_path / "qrels")
    taken = []

    def watched(scratch, *one, **more):
        taken.append(one)
        return empty(scratch, *one, **more)

    monkeypatch.setattr(Scratch, "empty", watched)
    expected = answers(runs, qrels, ReadOptions(part_rows=part_rows))
    assert not taken
    assert answers(runs, qrels, ReadOptions(part_rows=part_rows, at_once=0, scratch=tmp_path)) == expected
    assert len(taken) > 20


def test_the_numbers_of_boards_of_text_in_memory(tmp_path, slabs):
    runs, qrels = write_sorted(tmp_path, queries=45), str(tmp_path / "qrels")
    texts = [write_text(run, tmp_path) for run in runs]
    assert answers(texts, qrels, ReadOptions(at_once=0)) == answers(texts, qrels, ReadOptions())


def test_a_described_board(tmp_path):
    write_sorted(tmp_path, runs=2)
    (tmp_path / "board.toml").write_text(BOARD)
    engine = Watched()
    found = board_from_file(tmp_path / "board.toml", trials=20, reading=ReadOptions(part_rows=50, engine=engine))
    assert found.to_dict() == board_from_file(tmp_path / "board.toml", trials=20).to_dict()
    assert engine.labels == [None]


def test_queries_are_held_once_and_come_in_order(tmp_path):
    runs, qrels = write_sorted(tmp_path), str(tmp_path / "qrels")
    labels = as_labels(qrels, runs, reading=ReadOptions(part_rows=20))
    told: list[tuple[int, int]] = []
    first, second, third = map_runs(
        lambda serps, _run: serps, runs, labels, depth=5, reading=ReadOptions(part_rows=20),
        progress=lambda *one: told.append(one),
    )  # fmt: skip
    assert first.query_ids is second.query_ids is third.query_ids
    assert first.judged is second.judged
    whole = as_labels(qrels, runs)
    assert isinstance(whole, Qrels)
    assert first.query_ids == whole.query_ids
    assert told == [(place, len(told)) for place in range(1, len(told) + 1)]


def test_a_run_in_another_order_has_the_labels_read_whole(tmp_path, monkeypatch):
    runs, qrels = write_sorted(tmp_path, runs=2, queries=12), str(tmp_path / "qrels")
    frame = pl.read_parquet(f"{runs[1]}/*.parquet")
    shutil.rmtree(runs[1])
    (tmp_path / "b").mkdir()
    pl.concat([frame[8:32], frame[:8], frame[32:]]).write_parquet(tmp_path / "b" / "x.parquet")
    reading = ReadOptions(part_rows=16)
    assert isinstance(as_labels(qrels, runs, reading=reading), CutQrels)
    assert answers(runs, qrels, reading) == answers(runs, qrels, ReadOptions())
    monkeypatch.setattr(sharded_runs, "MOST_ROWS_AT_ONCE", 20)
    with pytest.raises(InputError, match=r"qrels: holds \d+ judgments, too many for memory"):
        compare_all(runs[0], runs[1:], qrels, reading=reading)


def test_which_labels_are_cut(tmp_path):
    runs, qrels = write_sorted(tmp_path), str(tmp_path / "qrels")
    reading = ReadOptions(part_rows=20)
    assert isinstance(as_labels(tmp_path / "qrels", runs, reading=reading), CutQrels)
    assert isinstance(as_labels(qrels, [{"1": {"d1": 1.0}}], reading=reading), Qrels)
    assert isinstance(as_labels(qrels, runs, queries=["0"], reading=reading), Qrels)
    assert isinstance(as_labels(as_labels(qrels, runs), runs, reading=reading), Qrels)


def test_a_fault_in_labels_that_are_cut(tmp_path):
    runs, qrels = write_sorted(tmp_path), tmp_path / "qrels"
    shard = sorted(qrels.iterdir())[1]
    frame = pl.read_parquet(shard)
    pl.concat([frame[:9], frame[8:9], frame[9:]]).write_parquet(shard)
    for verb in (partial(board, runs), partial(reliability, runs), partial(compare_all, runs[0], runs[1:])):
        with pytest.raises(InputError, match=f"{shard}:10: "):
            verb(str(qrels), reading=ReadOptions(part_rows=20))
