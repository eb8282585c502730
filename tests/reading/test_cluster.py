"""A cluster: worker processes over TCP give the bytes of one machine, whoever dies; faults are told by file and row."""

import json
import logging
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from typing import Any

import dask
import numpy as np
import polars as pl
import pytest

from benchmarks import big_board
from benchmarks import cluster as benchmark
from runoff.boards import _bootstrap, _half_splits, _spread
from runoff.errors import ClusterError, InputError
from runoff.files.parquet.cut_qrels import cut_qrels
from runoff.measures import parse_measure
from runoff.reading.cluster import Cluster, ClusterEngine, _done_there, _scored_there
from runoff.reading.means import read_means
from runoff.reading.sources import ReadOptions
from runoff.reading.units import edition, labelled_units, units_of
from runoff.tables.ranked_lists import ListRequest
from runoff.tables.scores import Scores
from runoff.verbs.board import board
from runoff.verbs.compare import compare
from runoff.verbs.evaluate import evaluate
from runoff.verbs.reliability import reliability
from tests.reading.boards_in_shards import units_and_qrels, write_both, write_sorted

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # sockets of workers that were killed
]
PATIENCE = 60.0


@pytest.fixture(scope="module")
def opened():
    # 15 seconds after a kill Dask gives up the worker of that name if it is away then, be it by another kill.
    forgiving = {"distributed.deploy.lost-worker-timeout": "1h"}
    with dask.config.set(forgiving), ClusterEngine(Cluster(address="local:2", patience=PATIENCE)) as engine:
        yield engine


@pytest.fixture
def engine(opened):
    """The cluster of this file, with all workers, whoever died in another test."""
    wait_for_all_workers(opened)
    return opened


def wait_for_all_workers(engine):
    """Dask starts a worker again that was killed, but not if it is killed once more while it starts."""
    nannies = engine.client.cluster.workers.values()
    deadline = time.monotonic() + PATIENCE
    while True:
        started = [nanny.process for nanny in nannies if nanny.process and nanny.process.status.name == "running"]
        # All of them answer: of one that was just killed neither its nanny nor the scheduler may know.
        with suppress(OSError):
            answered = engine.client.run(os.getpid).values()
            if len(started) == 2 and sorted(answered) == sorted(process.pid or 0 for process in started):
                return
        assert time.monotonic() < deadline, "a worker was not started again"
        time.sleep(0.02)


def kill_one(engine):
    """End a worker by SIGKILL."""
    os.kill(next(iter(engine.client.run(os.getpid).values())), signal.SIGKILL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    base = tmp_path_factory.mktemp("board")
    write_both(base)
    return base


def answers(folder, form, reading):
    """What four verbs say, as JSON."""
    runs, qrels = [str(folder / form / name) for name in "abc"], str(folder / form / "qrels")
    results = (
        evaluate(runs, qrels, measures=["RR@5", "nDCG@10", "AP"], reading=reading).per_query(),
        compare(runs[0], runs[1:], qrels, reading=reading),
        board(runs, qrels, trials=50, reading=reading),
        reliability(runs, qrels, splits=5, reading=reading),
    )
    return [json.dumps(result.to_dict()) for result in results]


def test_the_bytes_of_one_machine(folder, engine):
    """`tests/cli/test_reading_options.py` has text and Parquet in parts of another size."""
    expected = answers(folder, "text", ReadOptions())
    sent, received = engine.sent, engine.received
    for form, part_rows in (("text", 1000), ("parquet", 70)):
        assert answers(folder, form, ReadOptions(engine=engine, part_rows=part_rows)) == expected
    assert engine.is_open
    assert logging.getLogger("distributed.client").level == logging.CRITICAL
    assert engine.sent > sent
    assert 0 < engine.received - received < 100_000


def test_a_bootstrap_by_blocks_of_queries(folder, engine, monkeypatch):
    """Some blocks, some trials each, and a worker that is killed in the middle: the numbers of this process."""
    scores = evaluate(
        [str(folder / "text" / name) for name in "abc"], str(folder / "text" / "qrels"), measures="nDCG@10"
    ).scores[0]
    monkeypatch.setattr(_bootstrap, "SPREAD_CELLS", 3 * 11)
    monkeypatch.setattr(_bootstrap, "SPREAD_DRAWS", 40 * 8)
    grid = _bootstrap.make_grid(scores)
    expected = list(_bootstrap.redraws(grid, trials=80, seed=5))
    received = engine.received
    found = _bootstrap.redraws(grid, trials=80, seed=5, spread=engine.mapped)
    sums = list(islice(found, 2))
    kill_one(engine)
    sums += found
    assert np.array_equal(np.concatenate(sums), np.concatenate(expected))
    assert engine.received - received == 4 * 80 * 3 * 8
    assert str(_done_there(max, 1, 2, "9.9")).endswith("expected 9.9 as here; install the same on all machines")


def test_a_large_block_is_sent_without_a_warning(engine):
    """Warnings are errors in tests; Dask warns of what is larger than 10 MB."""
    found = engine.mapped(np.dot, [np.ones(2_000_000)], [np.ones(2_000_000)])
    assert [float(one) for one in found] == [2_000_000.0]


def half_splits_with_a_kill(scores, engine):
    """What `reliability` says if a worker is killed as soon as something is done."""
    killed: list[int] = []

    def kill(done, total):
        if not killed:
            killed.append(done)
            kill_one(engine)

    found = reliability(scores, splits=7, seed=2, reading=ReadOptions(engine=engine), progress=kill)
    assert killed
    return found.to_dict()


def test_half_splits_by_blocks_of_queries(engine, monkeypatch):
    """Some blocks, and a worker that is killed in the middle: the numbers of this process."""
    ranks = np.random.default_rng(3).integers(1, 6, size=(207, 4))
    scores = Scores(
        measure="RR@5",
        query_ids=tuple(map(str, range(207))),
        runs=tuple("abcd"),
        values=np.where(ranks < 5, 1 / ranks, 0),
    )
    expected = reliability(scores, splits=7, seed=2)
    monkeypatch.setattr(_half_splits, "BLOCK_SCORES", 4 * 60)
    assert half_splits_with_a_kill(scores, engine) == expected.to_dict()


def test_half_splits_by_pairs_of_runs(engine, monkeypatch):
    """Scores of many values: tiles of a few runs, and a worker that is killed in the middle."""
    values = np.round(np.random.default_rng(4).random((1300, 5)), 3)
    scores = Scores(measure="nDCG@10", query_ids=tuple(map(str, range(1300))), runs=tuple("abcde"), values=values)
    expected = reliability(scores, splits=7, seed=2)
    monkeypatch.setattr(_half_splits, "TILE_RUNS", 2)
    monkeypatch.setattr(_half_splits, "LEAST_SPLITS", 3)
    monkeypatch.setattr(_half_splits, "PART_SCORES", 0)
    assert half_splits_with_a_kill(scores, engine) == expected.to_dict()


def test_a_board_that_no_machine_holds(tmp_path, engine, monkeypatch):
    """It lies in files here, and two blocks of it are on the cluster at a time, where a worker is killed."""
    runs, qrels = write_sorted(tmp_path, queries=140), str(tmp_path / "qrels")
    asked: Any = {"trials": 40, "reading": ReadOptions()}, {"splits": 5, "reading": ReadOptions()}
    monkeypatch.setattr(_bootstrap, "SLAB_CELLS", 64)
    expected = board(runs, qrels, **asked[0]).to_dict(), reliability(runs, qrels, **asked[1]).to_dict()
    monkeypatch.setattr(_bootstrap, "SPREAD_CELLS", 3 * 11)
    monkeypatch.setattr(_bootstrap, "SPREAD_DRAWS", 140 * 8)
    monkeypatch.setattr(_half_splits, "BLOCK_SCORES", 3 * 30)
    monkeypatch.setattr(_spread, "BLOCKS_AT_ONCE", 2)
    away: list[int] = []

    class Watched:
        def __init__(self):
            self.scored = engine.scored

        def mapped(self, function, blocks, asked):
            away.append(len(blocks))
            if len(away) == 3:
                kill_one(engine)
            return engine.mapped(function, blocks, asked)

    for one in asked:
        one["reading"] = ReadOptions(engine=Watched(), part_rows=200, at_once=0)
    assert (board(runs, qrels, **asked[0]).to_dict(), reliability(runs, qrels, **asked[1]).to_dict()) == expected
    assert max(away) == 2
    assert len(away) > 8


def test_labels_that_are_cut_like_the_runs(tmp_path, engine):
    """No label is sent: a worker reads those of its part."""
    runs, qrels = write_sorted(tmp_path, runs=2), str(tmp_path / "qrels")
    measures = [parse_measure("nDCG@5"), parse_measure("AP")]
    sent = engine.sent
    folders = [tmp_path / "here", tmp_path / "there"]
    here, there = (
        read_means(runs, qrels, measures, reading=ReadOptions(engine=one, part_rows=100), per_query=folder)
        for one, folder in zip((None, engine), folders, strict=True)
    )
    assert here is not None
    assert there is not None
    assert here.to_dict() == there.to_dict() == evaluate(runs, qrels, measures=measures).to_dict()
    assert [file.read_bytes() for file in sorted(folders[0].rglob("*.parquet"))] == [
        file.read_bytes() for file in sorted(folders[1].rglob("*.parquet"))
    ]
    labels = cut_qrels(qrels, name="x", max_bytes=1 << 30, part_rows=100)
    assert labels is not None
    units = labelled_units(runs[0], labels, ListRequest(depth=5), name="a", max_bytes=1 << 30, part_rows=100)
    assert 0 < engine.sent - sent < 3 * len(units) * 2000
    runs_out_of_order = [str(tmp_path / "moved")]
    frame = pl.read_parquet(f"{runs[0]}/*.parquet")
    (tmp_path / "moved").mkdir()
    pl.concat([frame[8:120], frame[:8], frame[120:]]).write_parquet(tmp_path / "moved" / "x.parquet")
    reading = ReadOptions(engine=engine, part_rows=100)
    assert read_means(runs_out_of_order, qrels, measures, reading=reading) is None


def test_killed_workers_change_nothing(folder, engine):
    """SIGKILL for one worker in the middle, then of all at once: nothing is lost, and nothing counts twice."""
    units, qrels = units_and_qrels(folder)
    assert len(units) == 40
    expected = [part.hit_ranks.tolist() for part in engine.scored(units, qrels)]
    again = units_of(folder / "parquet" / "a", ListRequest(depth=9), name="a", max_bytes=1 << 30, part_rows=20)
    found = engine.scored(again, qrels)
    parts = list(islice(found, 3))
    kill_one(engine)
    parts += islice(found, 10)
    wait_for_all_workers(engine)
    for worker in engine.client.run(os.getpid).values():
        os.kill(worker, signal.SIGKILL)
    parts += found
    assert [[rank for rank in ranks if rank < 9] for ranks in expected] == [part.hit_ranks.tolist() for part in parts]


def test_a_fault_is_told_by_file_and_row(tmp_path, engine):
    write_both(tmp_path, runs=1)
    shard = tmp_path / "parquet" / "a" / "part-2.parquet"
    frame = pl.read_parquet(shard)
    frame[3, "doc_id"] = ""
    frame.write_parquet(shard)
    qrels = str(tmp_path / "text" / "qrels")
    with pytest.raises(InputError) as caught:
        evaluate([str(tmp_path / "parquet" / "a")], qrels, reading=ReadOptions(engine=engine, part_rows=50))
    assert str(caught.value) == (f"{shard}:4: document '' cannot be an id; expected text or a whole number; fix it")


def test_a_shard_that_goes_away_is_named(tmp_path, engine):
    write_both(tmp_path, runs=1)
    units, qrels = units_and_qrels(tmp_path)
    gone = tmp_path / "parquet" / "a" / "part-4.parquet"
    gone.unlink()
    with pytest.raises(InputError, match=f"^{gone}: no such file; .*; a worker does not see it"):
        list(engine.scored(units, qrels))


def test_workers_that_were_started_elsewhere(folder, engine, tmp_path, monkeypatch):
    """Paths are those of the caller's folder, and messages call them as the caller does."""
    engine.client.run(os.chdir, tmp_path)
    monkeypatch.chdir(folder)
    for form in ("text", "parquet"):
        expected = evaluate([f"{form}/a"], "text/qrels").to_dict()
        assert evaluate([f"{form}/a"], "text/qrels", reading=ReadOptions(engine=engine)).to_dict() == expected
    (folder / "bad.run").write_text("q1 Q0 d1 1 x a\n")
    with pytest.raises(InputError, match=r"^bad\.run:1: score 'x'"):
        evaluate(["bad.run"], "text/qrels", reading=ReadOptions(engine=engine))


def test_workers_that_always_die(folder, engine, monkeypatch):
    monkeypatch.setattr("runoff.reading.cluster._scored_there", _die)
    monkeypatch.setattr(engine.client.cluster.scheduler, "allowed_failures", 0)
    units, qrels = units_and_qrels(folder, part_rows=1000)
    with pytest.raises(ClusterError, match=r"part-4\.parquet:1-\d+: workers died again and again over it"):
        list(engine.scored(units[:1], qrels))


def _die(_unit, _qrels, _edition):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_without_enough_memory(folder, engine, monkeypatch):
    monkeypatch.setattr("runoff.reading.cluster._scored_there", _forget)
    units, qrels = units_and_qrels(folder, part_rows=1000, depth=7)  # nothing that was asked for before
    with pytest.raises(ClusterError, match=r"part-4\.parquet:1-\d+: a worker had too little memory .*--part-rows$"):
        list(engine.scored(units, qrels))


def _forget(_unit, _qrels, _edition):
    raise MemoryError


def test_a_worker_of_another_version(folder):
    units, qrels = units_and_qrels(folder)
    refused = str(_scored_there(units[0], qrels, "9.9"))
    assert refused.startswith(f"a worker has runoff {edition()}; expected 9.9 as here")


@pytest.mark.proof
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_28_million_rows(tmp_path_factory, workers):
    """Scheduler and workers in processes of their own; with two or more, one is killed in the middle."""
    base = benchmark.make_runs(tmp_path_factory.getbasetemp() / "rows", 28)
    alone = {verb: benchmark.asked(base, verb)["digest"] for verb in benchmark.VERBS}
    with benchmark.cluster(workers) as (address, pids), ThreadPoolExecutor(1) as pool:
        for verb in benchmark.VERBS:
            assert benchmark.asked(base, verb, address)["digest"] == alone[verb]
        if workers > 1:
            asked = pool.submit(benchmark.asked, base, "evaluate", address)
            time.sleep(3)
            assert not asked.done()
            os.kill(pids[0], signal.SIGKILL)
            assert asked.result()["digest"] == alone["evaluate"]


@pytest.mark.proof
def test_200_million_rows_under_4_gigabytes(tmp_path):
    base = benchmark.make_runs(tmp_path, 200)
    assert benchmark.asked(base, "evaluate")["peak"] < 4e9


@pytest.mark.proof
def test_a_board_in_files_takes_no_more_memory_for_more_runs(tmp_path):
    peaks = []
    for runs in (4, 12):
        base = big_board.make_board(tmp_path, 300_000, runs)
        held, filed = (big_board.asked(base, "board", "RR@10", at_once) for at_once in (1 << 60, 0))
        assert held["digest"] == filed["digest"]
        peaks.append((held["peak"], filed["peak"]))
    (few, few_filed), (many, many_filed) = peaks
    assert many - few > 120e6
    assert many_filed - few_filed < 60e6
    with benchmark.cluster(2) as (address, _):
        assert big_board.asked(base, "board", "RR@10", 0, address)["digest"] == filed["digest"]
