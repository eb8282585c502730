"""Reading runs: the same numbers from text, from parts, from files and in memory, for all verbs."""

import json
import shutil
from functools import partial

import numpy as np
import polars as pl
import pytest

from runoff.boards import _bootstrap
from runoff.errors import InputError, UsageError
from runoff.files import read_board, read_serps
from runoff.files.parquet import cut_qrels as cutting
from runoff.files.parquet import sharded_runs
from runoff.files.parquet.cut_qrels import CutQrels
from runoff.measures import RR, P, _base, parse_measure
from runoff.reading import sources as inputs
from runoff.reading.conditions import read_label_sets
from runoff.reading.runs import Scoring, depth_of, read_runs
from runoff.reading.sources import ReadOptions, as_labels, as_qrels
from runoff.reading.units import HereEngine, ResumedEngine
from runoff.tables import scores as scoring
from runoff.tables.memory import Scratch
from runoff.tables.qrels import Qrels
from runoff.tables.serps import DEEPEST_CUT
from runoff.verbs.board import board
from runoff.verbs.compare import compare
from runoff.verbs.evaluate import evaluate
from runoff.verbs.reliability import reliability
from tests.reading.boards_in_shards import write_sorted
from tests.verbs.audited import write_audited
from tests.verbs.comparisons import qrels_of, run_of

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
        compare(runs[0], runs[1:], qrels, reading=reading),
        board(runs, qrels, trials=20, measures="nDCG@5", reading=reading),
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
    found = board(tmp_path / "board.toml", trials=20, reading=ReadOptions(part_rows=50, engine=engine))
    assert found.to_dict() == board(tmp_path / "board.toml", trials=20).to_dict()
    assert engine.labels == [None]


def test_queries_are_held_once_and_come_in_order(tmp_path):
    runs, qrels = write_sorted(tmp_path), str(tmp_path / "qrels")
    labels = as_labels(qrels, runs, reading=ReadOptions(part_rows=20))
    told: list[tuple[int, int]] = []
    first, second, third = read_runs(
        runs,
        Scoring(labels=labels, keep_serps=True),
        depth=5,
        reading=ReadOptions(part_rows=20),
        progress=lambda *done: told.append(done),
    ).serps
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
        compare(runs[0], runs[1:], qrels, reading=reading)


def test_which_labels_are_cut(tmp_path):
    runs, qrels = write_sorted(tmp_path), str(tmp_path / "qrels")
    reading = ReadOptions(part_rows=20)
    assert isinstance(as_labels(tmp_path / "qrels", runs, reading=reading), CutQrels)
    assert isinstance(as_labels(qrels, [{"1": {"d1": 1.0}}], reading=reading), Qrels)
    assert isinstance(as_labels(qrels, runs, queries=["0"], reading=reading), Qrels)
    assert isinstance(as_labels(as_qrels(qrels), runs, reading=reading), Qrels)


def test_a_fault_in_labels_that_are_cut(tmp_path):
    runs, qrels = write_sorted(tmp_path), tmp_path / "qrels"
    shard = sorted(qrels.iterdir())[1]
    frame = pl.read_parquet(shard)
    pl.concat([frame[:9], frame[8:9], frame[9:]]).write_parquet(shard)
    for verb in (partial(board, runs), partial(reliability, runs), partial(compare, runs[0], runs[1:])):
        with pytest.raises(InputError, match=f"{shard}:10: "):
            verb(str(qrels), reading=ReadOptions(part_rows=20))


def test_values_are_the_measures_own_and_serps_are_kept_on_demand():
    qrels = as_qrels(qrels_of(3))
    runs = [run_of("b", [2, 0, 1]), run_of("a", [1, 1, 1])]
    (plain,) = read_runs(runs, Scoring(labels=qrels, measures=[RR @ 10, P @ 1]), depth=10).scored
    assert [one.facts.run for one in plain] == ["b", "a"]
    assert np.array_equal(plain[0].values[0], [0.5, 0, 1])
    assert np.array_equal(plain[1].values[1], [1, 1, 1])
    assert plain[0].serps is None
    kept = read_runs(runs, Scoring(labels=qrels, measures=[RR @ 10], keep_serps=True), depth=10).serps
    assert [serps.depth for serps in kept] == [10, 10]


def test_the_depth_is_the_deepest_cutoff_or_the_whole_list():
    assert depth_of([RR @ 10, P @ 20]) == 20
    assert depth_of([RR @ 10, RR()]) is None
    assert depth_of([RR @ (DEEPEST_CUT + 1)]) is None


def test_runs_are_cut_and_named():
    seen = []
    runs = read_runs([{"q": {"a": 2, "b": 1}}, {"q": {"c": 1}}], top=1, progress=lambda *done: seen.append(done)).tops
    assert [list(run) for run in runs] == [[("q", "a", 2.0)], [("q", "c", 1.0)]]
    assert [run.name for run in runs] == ["run 1", "run 2"]
    assert seen == [(1, 2), (2, 2)]


def test_no_runs():
    with pytest.raises(UsageError, match="no runs"):
        read_runs([], top=1)


def test_the_same_as_each_label_set_by_itself(tmp_path):
    board = read_board(write_audited(tmp_path))
    sets = read_label_sets(board)
    calls = []
    measure = parse_measure("RR@10")
    scorings = [labels.scoring([measure], keep_serps=labels is sets[0]) for labels in sets]
    files = [run.path for run in board.runs]
    read = read_runs(files, *scorings, depth=10, top=3, progress=lambda *done: calls.append(done))
    assert calls == [(number, 7) for number in range(1, 8)]
    for top in read.tops:
        assert np.diff(top.bounds).max() == 3
    assert [labels.name for labels in sets] == ["sparse", "deep"]
    for labels, scored in zip(sets, read.scored, strict=True):
        for file, run in zip(files, scored, strict=True):
            alone = read_serps(str(file), labels.qrels, depth=10)
            np.testing.assert_array_equal(run.values[0], measure.values(alone))
            assert (run.serps is None) == (labels.name == "deep")
