"""`--duplicates` of every verb that reads runs: an error, or rows are dropped and counted as if they were not there."""

import importlib
import json

import pytest

from runoff.cli.main import VERBS
from tests.verbs.audited import PUBLIC, write_audited

RUNS = ("base.run", "fair 1.run", "fair 2.run")
TOLD = "Rows dropped, whose documents are listed more than once for a query"
FIRST = "the first row of each was kept"
QUICK = ("--trials", "50")
ALL = {
    "evaluate": ("evaluate", *RUNS, "--qrels", "sparse.txt"),
    "compare": ("compare", *RUNS[:2], "--qrels", "sparse.txt"),
    "board": ("board", *RUNS, "--qrels", "sparse.txt", *QUICK),
    "board of a file": ("board", "board.toml", *QUICK),
    "audit": ("audit", "board.toml"),
    "reliability": ("reliability", *RUNS, "--qrels", "sparse.txt", "--splits", "10"),
    "calibrate": ("calibrate", *RUNS, "--qrels", "sparse.txt", "--only", "tests", "--boards", "2"),
    "pool": ("pool", *RUNS, "--qrels", "sparse.txt"),
    "pool --one-pair": ("pool", "base.run", "--qrels", "sparse.txt", "--one-pair"),
    "tasks": ("tasks", *RUNS, "--qrels", "sparse.txt"),
    "tally": ("tally", "votes.txt", "--runs", "base.run", "--runs", "fair 1.run"),
    "maintain": ("maintain", *RUNS, "--labels", "sparse.txt"),
    "ipso": ("ipso", *RUNS[:2], "--qrels", "sparse.txt"),
    "ipso of many": ("ipso", *RUNS, "--qrels", "sparse.txt"),
    "report": ("report", "board.toml", "--splits", "10", *QUICK),
    "report --submission": ("report", "board.toml", "--submission", "fair 2.run", "--name", "new", *QUICK),
}
SAY_LESS = ("calibrate",)
"""It makes boards that are like the runs, and says nothing of single runs, nor which queries they lack."""
OTHER_WORDS = {
    "compare": "220 rows dropped, as documents are listed more than once, and the first row kept",
    "ipso": "220 rows dropped, as documents are listed more than once, and the first row kept",
    "report --submission": "220, whose documents are listed more than once for a query",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    write_audited(tmp_path, runs=("base", "fair 1", "fair 2"))
    (tmp_path / "votes.txt").write_text("".join(f"{query} base-1 fair1-1 base-1 ann\n" for query in PUBLIC))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def repeat(folder):
    """In every list, the last document comes once more, with a higher score than all."""
    for name in RUNS:
        lines = (folder / name).read_text().splitlines(keepends=True)
        lasts = {line.split()[0]: line.split()[2] for line in lines}
        more = [f"{query} Q0 {doc} 1 99 t\n" for query, doc in lasts.items()]
        (folder / name).write_text("".join([*lines, *more]))


def numbers(content):
    """What is in JSON, without words on the runs, what was dropped, and what says how it was made."""
    if isinstance(content, dict):
        left_out = {"remarks", "findings", "dropped_duplicates", "files", "command"}
        return {key: numbers(value) for key, value in content.items() if key not in left_out}
    return [numbers(one) for one in content] if isinstance(content, list) else content


@pytest.mark.parametrize("name", ALL)
def test_the_numbers_of_clean_files(folder, call, name):
    asked = (*ALL[name], "--quiet")
    clean = call(*asked, "--format", "json")
    assert (clean.returncode, clean.stderr) == (0, "")
    repeat(folder)
    refused = call(*asked)
    if name == "report --submission":  # the runs of the board are refused, too
        assert "twice for query" in refused.stderr + refused.stdout
    else:
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "twice for query 'b99', first in line" in refused.stderr or "twice for query 'a0'" in refused.stderr
    dropped = call(*asked, "--duplicates", "first", "--format", "json")
    assert (dropped.returncode, dropped.stderr) == (0, "")
    assert numbers(json.loads(dropped.stdout)) == numbers(json.loads(clean.stdout))
    if name not in SAY_LESS:
        said = " ".join(call(*asked, "--duplicates", "first", "--format", "markdown").stdout.split())
        assert OTHER_WORDS.get(name, f"{TOLD}: ") in said
        assert name in OTHER_WORDS or FIRST in said


def test_every_verb_with_a_tie_rule_is_tried():
    options = {
        verb: {name for one in getattr(importlib.import_module(f"runoff.cli.{verb}"), verb).params for name in one.opts}
        for verb in VERBS
    }
    reading = {verb for verb, names in options.items() if "--tie-rule" in names}
    assert reading == {verb for verb, names in options.items() if "--duplicates" in names}
    assert reading - {"check"} == {arguments[0] for arguments in ALL.values()}  # it has no numbers: see its own tests


def test_which_row_is_kept(folder, call):
    repeat(folder)
    asked = ("evaluate", *RUNS, "--qrels", "sparse.txt", "-m", "RR@10", "--format", "json", "--duplicates")
    first, best = (json.loads(call(*asked, rule).stdout)["runs"] for rule in ("first", "best"))
    assert [run["dropped_duplicates"] for run in (*first, *best)] == [220] * 6
    assert all(one["measures"] != other["measures"] for one, other in zip(first, best, strict=True))
    assert call(*asked, "last").returncode == 2
