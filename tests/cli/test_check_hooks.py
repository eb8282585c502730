"""The pre-commit hook and the GitHub Action: parsed, and their command lines run."""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from runoff.cli.submit import submit

ROOT = Path(__file__).resolve().parents[2]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
DOCUMENTED = (ROOT / "docs/reference/check.md").read_text(encoding="utf-8")


@pytest.fixture
def programs(tmp_path) -> Path:
    """A folder with a program `runoff`: this one, or for `submit` one that writes down how it was called."""
    folder = Path(tmp_path) / "programs"
    folder.mkdir()
    program = folder / "runoff"
    program.write_text(
        f'#!/bin/sh\nif [ "$1" = submit ]; then printf "%s\\n" "$*" >> "$CALLS"; exit "$ANSWER"; fi\n'
        f'exec {shlex.quote(sys.executable)} -m runoff "$@"\n',
        encoding="utf-8",
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return folder


def step(name: str) -> dict[str, Any]:
    return next(step for step in ACTION["runs"]["steps"] if step["name"] == name)


def run_step(
    name: str, folder: Path, programs: Path, *, answer: int = 0, **inputs: str
) -> subprocess.CompletedProcess[str]:
    """Run a step's script as the runner does, with its variables filled in from the inputs."""
    values = {key: entry.get("default", "") for key, entry in ACTION["inputs"].items()} | inputs
    expressions = {key: re.fullmatch(r"\$\{\{ inputs\.(\w+) \}\}", text) for key, text in step(name)["env"].items()}
    variables = {key: values[match[1]] for key, match in expressions.items() if match}
    assert variables.keys() == expressions.keys()
    path = f"{programs}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step(name)["run"]],
        env={**os.environ, **variables, "PATH": path, "CALLS": str(folder / "calls"), "ANSWER": str(answer)},
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_the_hook(board, call):
    (hook,) = HOOKS
    assert (hook["id"], hook["language"]) == ("runoff-check", "python")
    for name, fits in {
        "a.run": True,
        "runs/b.trec.gz": True,
        "c.run.zst": True,
        "d.py": False,
        "prerun": False,
    }.items():
        assert bool(re.search(hook["files"], name)) is fits
    program, *arguments = shlex.split(hook["entry"])
    assert program == "runoff"
    assert call(*arguments, "--qrels", "qrels.txt", "good.run", "poor.run").returncode == 0
    (board / "bad.run").write_text("q1 Q0\n", encoding="utf-8")
    assert call(*arguments, "bad.run").returncode == 2
    assert f"id: {hook['id']}" in DOCUMENTED


@pytest.mark.program
def test_the_action_checks(board, programs):
    result = run_step("Check", board, programs, runs="g*.run\n\npoor.run\n", qrels="qrels.txt")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("0 errors and ")
    suites = ET.parse(board / "runoff-check.xml").getroot().findall("testsuite")  # noqa: S314  # our own
    assert [suite.get("name") for suite in suites] == ["qrels.txt", "good.run", "poor.run"]


@pytest.mark.program
def test_the_action_fails_and_leaves_the_report(board, programs):
    (board / "bad run.run").write_text("q1 Q0 a 1 2.0 x\nq1\n", encoding="utf-8")
    result = run_step("Check", board, programs, runs="bad*.run", report="faults.xml")
    assert result.returncode == 2
    assert "bad run.run:2: error: 1 field;" in result.stdout
    assert ET.parse(board / "faults.xml").getroot().get("failures") == "1"  # noqa: S314  # our own


@pytest.mark.program
def test_the_action_submits(board, programs):
    assert step("Submit")["if"] == "inputs.board != ''"
    address = "https://example.org/boards/b"
    result = run_step("Submit", board, programs, runs="*.run", board=address, token="secret", metadata="m.json")
    assert (result.returncode, result.stderr) == (0, "")
    calls = (board / "calls").read_text(encoding="utf-8").splitlines()
    assert calls == [f"submit {name}.run --board {address} --metadata m.json --wait" for name in ("good", "poor")]
    rejected = run_step("Submit", board, programs, answer=2, runs="*.run", board=address, token="secret")
    assert rejected.returncode == 2
    assert len((board / "calls").read_text(encoding="utf-8").splitlines()) == 4
    (board / "m.json").write_text("{}", encoding="utf-8")
    for line in calls:
        context = submit.make_context("submit", [*shlex.split(line)[1:], "--token", "t"])
        assert context.params["board"] == address


def test_the_example_names_inputs_that_there_are():
    example = yaml.safe_load(DOCUMENTED.split("# .github/workflows/runs.yml\n")[1].split("```")[0])
    (used,) = [step["with"] for step in example["jobs"]["submit"]["steps"] if "with" in step]
    assert used.keys() <= ACTION["inputs"].keys()
    required = {name for name, entry in ACTION["inputs"].items() if entry.get("required")}
    assert required <= used.keys()
