"""The benchmarks still work; how fast anything is, no test says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import BENCHMARKS
from benchmarks.judging import share
from benchmarks.server import Load
from benchmarks.tables import Target

ROOT = Path(__file__).resolve().parent.parent.parent
OTHER_FILES = {
    "big_board", "cluster", "commands", "data", "judging_load", "judging_sender", "kind_files", "machine", "postgresql",
    "server_board", "server_load", "server_upload", "tables", "timing", "versions",
}  # fmt: skip


WHOLE = {"judging", "judging_server", "report", "server"}
"""They start servers or make whole reports, which other tests do as well."""


@pytest.mark.program
@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.proof)])
def test_all_benchmarks_run_on_tiny_data(tmp_path, whole):
    names = [benchmark.name for benchmark in BENCHMARKS if whole or benchmark.name not in WHOLE]
    command = [sys.executable, "-m", "benchmarks", "--quick", "--only", *names]
    environment = {**os.environ, "RUNOFF_BENCH_DIR": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in names:
        assert f"\n### {name}: " in done.stdout
    assert "| startup: runoff --help " in done.stdout
    assert "agree" in done.stdout


def test_every_benchmark_is_listed_once():
    files = {file.stem for file in (ROOT / "benchmarks").glob("*.py") if not file.stem.startswith("_")}
    names = [benchmark.name for benchmark in BENCHMARKS]
    assert sorted(names) == sorted(files - OTHER_FILES)


@pytest.mark.parametrize(
    "side, best, median, verdict",
    [
        ("below", 0.9, 0.99, "met"),
        ("below", 0.9, 1.0, "met at best"),
        ("below", 1.0, 1.1, "missed"),
        ("at least", 1.2, 1.0, "met"),
        ("at least", 0.9, 1.2, "met by median"),
        ("at least", 1.0, 0.9, "met at best"),
        ("at least", 0.9, 0.8, "missed"),
    ],
)
def test_a_target_is_met_when_best_and_median_meet_it(side, best, median, verdict):
    assert Target("speed", side, 1.0, "s", best=best, median=median).verdict == verdict


def test_a_crowd_in_which_nobody_chose_is_an_error():
    assert share([3.0, 1.0, 2.0], 0.5) == 2.0
    with pytest.raises(RuntimeError, match="nobody made a choice"):
        share([], 0.95)


@pytest.mark.parametrize("times, faults", [([], {}), ([0.1, 0.1], {"500": 1, "OSError": 1})])
def test_a_load_of_which_nothing_was_answered_is_an_error(times, faults):
    with pytest.raises(RuntimeError, match="no page was answered"):
        Load(name="board", rate=1, found={"times": times, "faults": faults}, cpu=0.0, busy=(0.0, 0.0))
    Load(name="board", rate=1, found={"times": [*times, 0.1], "faults": faults}, cpu=0.0, busy=(0.0, 0.0))
