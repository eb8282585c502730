"""`--cluster`, `--resume` and `--part-rows`, as typed: the same bytes from text, from shards and from a cluster."""

import importlib
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import polars as pl
import pytest

from runoff.files.parquet.cut_qrels import cut_qrels
from runoff.reading.units import ResumedEngine, labelled_units
from runoff.tables.ranked_lists import ListRequest
from tests.files.sharded import write_shards
from tests.reading.boards_in_shards import write_both, write_sorted

VERBS = {
    "evaluate": ("evaluate", "a", "b", "c", "-m", "AP", "-m", "RR@5", "--per-query"),
    "compare": ("compare", "a", "b", "c"),
    "board": ("board", "a", "b", "c", "--trials", "50"),
    "reliability": ("reliability", "a", "b", "c", "--splits", "5"),
}


ROWS = 16
"""Two lists of the sorted board."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    base = tmp_path_factory.mktemp("shards")
    write_both(base)
    return base


@pytest.fixture(scope="module")
def address():
    import distributed

    options = {"processes": False, "dashboard_address": "127.0.0.1:0", "protocol": "tcp://", "silence_logs": 50}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster:
        yield cluster.scheduler_address


def said(call, folder, form, verb, *options):
    os.chdir(folder / form)
    shown = call(*VERBS[verb], "--qrels", "qrels", "--format", "json", *options)
    assert (shown.returncode, shown.stderr) == (0, "")
    return shown.stdout


@pytest.mark.parametrize("verb", ["board", "reliability"])
def test_trials_and_splits_are_given_to_the_engine(call, folder, verb, monkeypatch, tmp_path):
    """The bytes are the same if they are not, so the bytes do not tell."""
    given = []
    mapped = ResumedEngine.mapped

    def watched(self, function, blocks, asked):
        given.append(function.__name__)
        return mapped(self, function, blocks, asked)

    monkeypatch.setattr(ResumedEngine, "mapped", watched)
    monkeypatch.chdir(folder / "text")
    monkeypatch.setattr(importlib.import_module("runoff.boards.reliability"), "LEAST_QUERIES", 5)
    shown = call(*VERBS[verb], "--qrels", "qrels", "-m", "RR@10", "--resume", str(tmp_path / "state"))
    assert shown.returncode == 0
    assert given == {"board": ["block_sums"], "reliability": ["edge_of", "block_counts"]}[verb]


@pytest.mark.cluster
@pytest.mark.parametrize("verb", VERBS)
def test_the_same_bytes(call, folder, address, verb, monkeypatch, tmp_path):
    monkeypatch.chdir(folder)
    expected = said(call, folder, "text", verb)
    for form in ("text", "parquet"):
        state = str(tmp_path / form)
        for options in (
            ("--part-rows", "30"),
            ("--cluster", address, "--part-rows", "50"),
            ("--resume", state, "--part-rows", "50"),
            ("--resume", state, "--part-rows", "50", "--cluster", address),
        ):
            assert said(call, folder, form, verb, *options) == expected
        assert len(list((tmp_path / form).iterdir())) >= 3


def test_patterns_and_a_list_of_queries(call, folder, monkeypatch, tmp_path):
    monkeypatch.chdir(folder)
    (tmp_path / "some").write_text("q3\nq5\n")
    options = ("--queries", str(tmp_path / "some"), "--format", "json")
    os.chdir(folder / "text")
    text = call("evaluate", "a", "--qrels", "qrels", *options)
    os.chdir(folder / "parquet")
    found = call("evaluate", "a/part-*.parquet", "--qrels", "qrels/*", *options)
    assert text.returncode == found.returncode == 0
    assert text.stdout == found.stdout


def test_the_address_of_a_folder_here(call, folder, monkeypatch):
    """It is read like one in an object store."""
    pytest.importorskip("fsspec")
    monkeypatch.chdir(folder / "parquet")
    there = f"file://{folder / 'parquet'}"
    shown = call("board", f"{there}/a", f"{there}/b", "--qrels", f"{there}/qrels", "--trials", "9", "--format", "json")
    assert shown.stderr == ""
    assert shown.stdout == call("board", "a", "b", "--qrels", "qrels", "--trials", "9", "--format", "json").stdout


def killed_when(files, wanted, *arguments):
    """Start `runoff` and end it by SIGKILL as soon as so many files are there; False if it was done before."""
    started = subprocess.Popen([sys.executable, "-m", "runoff", *arguments], stdout=subprocess.DEVNULL)
    while started.poll() is None and len(list(files())) < wanted:
        time.sleep(0.002)
    started.kill()
    return started.wait() == -signal.SIGKILL


def spoil(unit):
    """Make the scores of a shard unreadable, under the same size and time: who reads it again will say so."""
    parquet = pytest.importorskip("pyarrow.parquet")
    for piece in unit.part.pieces:
        path = Path(piece.shard.path)
        before = path.stat()
        footer = parquet.ParquetFile(path).metadata.row_group(0)
        score = next(footer.column(place) for place in range(3) if footer.column(place).path_in_schema == "score")
        with path.open("r+b") as file:
            file.seek(score.dictionary_page_offset or score.data_page_offset)
            file.write(b"\xff" * 32)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_killed_from_outside_and_started_again(call, tmp_path, monkeypatch):
    """The same bytes, and what was done before is not read again: it could not be."""
    resumed_after_a_kill(call, tmp_path, monkeypatch, queries=120)


@pytest.mark.proof
def test_killed_from_outside_and_started_again_with_many_parts(call, tmp_path, monkeypatch):
    resumed_after_a_kill(call, tmp_path, monkeypatch, queries=600)


def resumed_after_a_kill(call, folder, monkeypatch, *, queries):
    monkeypatch.chdir(folder)
    write_sorted(folder, runs=1, queries=queries)
    frame = pl.read_parquet(folder / "a" / "*.parquet")
    shutil.rmtree(folder / "a")
    write_shards(frame, folder / "a", range(ROWS, len(frame), ROWS))  # a shard is a part
    asked = ("evaluate", "a", "--qrels", "qrels", "-m", "AP", "-m", "nDCG@10", "--format", "json")
    expected = call(*asked).stdout
    resumed = (*asked, "--part-rows", str(ROWS), "--resume", "state")
    kept = partial(Path("state").glob, "*.npz")
    assert killed_when(kept, 5, *resumed)
    done = {file.name: file.stat().st_mtime_ns for file in kept()}
    labels = cut_qrels("qrels", name="qrels", max_bytes=64 << 30, part_rows=ROWS)
    assert labels is not None
    units = labelled_units("a", labels, ListRequest(), name="a", max_bytes=64 << 30, part_rows=ROWS)
    assert 5 <= len(done) < len(units)
    before = [unit for unit in units if f"{unit.key('')}.npz" in done]
    assert len(before) == len(done)
    needed = {str(unit) for unit in units if unit not in before}
    for unit in before:
        if str(unit) not in needed:  # the labels of a part may be in two
            spoil(unit)
    again = call(*resumed)
    assert (again.stderr, again.stdout) == ("", expected)
    assert {file.name: file.stat().st_mtime_ns for file in kept() if file.name in done} == done
    assert len(list(kept())) == len(units)
    shutil.rmtree("state")
    assert "not a readable Parquet file" in call(*resumed).stderr


HEARS_CTRL_C = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); import runoff.cli.main as m; m.main()"
)
"""A command of a script that runs in the background is started deaf to Ctrl-C; so would be what these tests start."""


def test_ctrl_c(folder, monkeypatch, tmp_path):
    """So many splits that it is never done before."""
    monkeypatch.chdir(folder / "parquet")
    state = tmp_path / "state"
    command = (*VERBS["reliability"][:-1], "10000000", "--qrels", "qrels", "--resume", str(state), "--quiet")
    with subprocess.Popen(
        [sys.executable, "-c", HEARS_CTRL_C, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as started:
        while started.poll() is None and not list(state.glob("*.npz")):
            time.sleep(0.01)
        started.send_signal(signal.SIGINT)
        try:
            shown = started.communicate(timeout=60)
        finally:
            started.kill()  # it would go on until the memory is full
    kept = f"interrupted; finished parts are kept in {state}; the same command goes on from there"
    assert (started.returncode, shown[0], shown[1].strip()) == (130, "", kept)


BAD = [
    (("--cluster-tls", "a", "b", "c"), "--cluster-tls goes with --cluster tls://HOST:PORT"),
    (("--cluster", "local:x"), "cluster local:x: 'x' is not a number of workers"),
    (("--part-rows", "0"), "--part-rows"),
    (("--resume", "qrels/x"), "qrels/x: cannot be made"),
]


@pytest.mark.parametrize("options, message", BAD)
def test_what_is_refused(call, folder, monkeypatch, options, message):
    monkeypatch.chdir(folder / "text")
    shown = call("evaluate", "a", "--qrels", "qrels", *options)
    assert shown.returncode == 2
    assert message in shown.stderr
