"""`runoff demo`, and every example in the pages that show the command line."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.verbs.undrawn import undrawn_charts

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("guides/two-runs.md", "guides/organisers.md", "guides/label-owners.md")
EXAMPLE = re.compile(r"^\$ (.+)\n((?:(?!```|\$ ).*\n)*)", re.MULTILINE)
"""A command with the output that is shown below it, in which ... stands for any lines."""
FILE = re.compile(r"^```toml\n# (\S+)\n(.+?)^```", re.MULTILINE | re.DOTALL)
"""A file that a page shows, with its name in the first line."""
PROGRAM = re.compile(r"^```python\n((?:(?!>>>|```).*\n)+)```", re.MULTILINE)
"""Python that uses the files of the page; the comment behind a print is what it prints."""


@pytest.fixture
def short_year(monkeypatch):
    """The same year with few queries, cut in half less often, and charts that are not drawn."""
    from runoff.simulation.year import YearConfig
    from runoff.verbs import _demo_analysis, demo

    sizes = {"public": 60, "private": 20, "deep": 2, "judged": 2}
    monkeypatch.setattr(demo, "YearConfig", lambda *, seed: YearConfig(**sizes, seed=seed))
    monkeypatch.setattr(_demo_analysis, "SPLITS", 2)
    with undrawn_charts():
        yield


def test_it_tells_what_was_planted_and_found(tmp_path, monkeypatch, call, short_year):
    monkeypatch.chdir(tmp_path)
    result = call("demo")
    assert (result.returncode, result.stderr) == (0, "")
    assert "A simulated year of a leaderboard (seed 0): 40 runs" in result.stdout
    assert "Planted and found" in result.stdout
    assert "Open runoff-demo/report.html in a browser." in result.stdout
    assert "The README.md next to it lists what else to try." in result.stdout
    assert len(list((tmp_path / "runoff-demo" / "runs").glob("*.run.gz"))) == 40
    assert (tmp_path / "runoff-demo" / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_seed_and_format(tmp_path, call, short_year):
    first, again, other = (
        json.loads(call("demo", str(tmp_path / name), "--seed", seed, "--format", "json").stdout)
        for name, seed in (("a", "7"), ("a", "7"), ("b", "8"))
    )
    assert first == again
    assert (first["seed"], other["seed"]) == (7, 8)
    assert first["runs"] != other["runs"]


def test_the_small_board(tmp_path, monkeypatch, call):
    monkeypatch.chdir(tmp_path)
    result = call("demo", "--small")
    assert (result.returncode, result.stderr) == (0, "")
    assert "A simulated leaderboard: 8 runs on 1,000 queries" in result.stdout
    assert "Score them yourself: runoff evaluate runoff-demo/*.run --qrels runoff-demo/qrels.txt" in result.stdout
    assert len(list((tmp_path / "runoff-demo").glob("*.run"))) == 8


@pytest.mark.parametrize(
    "arguments, message", [(["file"], "Directory 'file' is a file"), (["ok", "--seed", "-1"], "--seed")]
)
def test_bad_usage(tmp_path, monkeypatch, call, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("", encoding="utf-8")
    result = call("demo", *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


@pytest.mark.program
@pytest.mark.parametrize("name", PAGES)
def test_the_examples_in_the_documentation_run(tmp_path, monkeypatch, call, name):
    """In order, in one folder, as a reader would type them."""
    monkeypatch.chdir(tmp_path)
    page = (DOCS / name).read_text(encoding="utf-8")
    examples = EXAMPLE.findall(page)
    assert len(examples) >= 6
    for file, content in FILE.findall(page):
        Path(file).write_text(content, encoding="utf-8")
    for example, shown in examples:
        words = []
        for word in shlex.split(example)[1:]:
            matches = sorted(map(str, Path().glob(word))) if "*" in word else []
            words += matches or [word]
        result = call(*words)
        assert (result.returncode, result.stderr) == (0, ""), example
        for part in shown.split("...\n"):
            assert part in result.stdout, example


@pytest.mark.program
def test_the_python_of_the_tutorial_prints_what_it_says(tmp_path, monkeypatch, call):
    monkeypatch.chdir(tmp_path)
    call("demo", "board", "--small")
    programs = PROGRAM.findall((DOCS / "guides/two-runs.md").read_text(encoding="utf-8"))
    assert programs
    for program in programs:
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout.splitlines() == re.findall(r"^print\(.*\)  # (.+)$", program, re.MULTILINE)
