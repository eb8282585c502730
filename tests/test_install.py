"""Installation from source, in an environment of its own: with a C compiler, and without one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

from runoff.cli.main import SLOW_READER
from tests.programs import required

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE")
FIND_READER = (
    "import importlib.util as u; print(bool(u.find_spec('runoff.rows') and u.find_spec('runoff.rows._compiled')))"
)

pytestmark = pytest.mark.program


class Installed:
    """The package, installed in a new environment that borrows its dependencies from this one."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder = folder
        source = folder / "source"
        ignored = shutil.ignore_patterns("*.so", "*.pyd", "*.egg-info", "__pycache__")
        shutil.copytree(ROOT / "src", source / "src", ignore=ignored)
        for part in PARTS:
            shutil.copy(ROOT / part, source)
        venv.create(folder / "venv", with_pip=True)
        pins = {name: str(ROOT / "constraints.txt") for name in ("PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT")}
        self.environment = (
            {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | pins | variables
        )
        self.call("python", "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", str(source))
        site = self.call("python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip()
        Path(site, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")

    def call(self, program: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment."""
        command = [str(self.folder / "venv" / "bin" / program), *words]
        result = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, f"{' '.join(command)}:\n{result.stdout}{result.stderr}"
        return result

    def has_reader(self) -> bool:
        """Whether the compiled reader was installed."""
        return self.call("python", "-c", FIND_READER).stdout == "True\n"

    def evaluate(self) -> subprocess.CompletedProcess[str]:
        """Score three lines."""
        (self.folder / "a.run").write_text("q1 Q0 d1 1 2.0 a\nq1 Q0 d2 2 1.0 a\nq2 Q0 d3 1 2.0 a\n", encoding="utf-8")
        (self.folder / "qrels.txt").write_text("q1 0 d2 1\nq2 0 d3 1\n", encoding="utf-8")
        return self.call("runoff", "evaluate", "a.run", "--qrels", "qrels.txt", "-m", "RR@10", "--format", "json")


def test_without_a_compiler_runoff_is_installed_and_works(tmp_path):
    programs = tmp_path / "programs"
    programs.mkdir()
    installed = Installed(tmp_path, PATH=str(programs), CC="/nonexistent/cc")
    assert not installed.has_reader()
    result = installed.evaluate()
    assert json.loads(result.stdout)["runs"][0]["measures"] == {"RR@10": 0.75}
    assert result.stderr == ""  # the note is for people at a terminal
    assert installed.call("runoff", "--version").stdout.splitlines()[1] == SLOW_READER


def test_with_a_compiler_the_reader_is_built(tmp_path):
    required("cc")
    installed = Installed(tmp_path, RUNOFF_READER="required")
    assert installed.has_reader()
    assert installed.evaluate().stderr == ""
    assert "_compiled" in installed.call("python", str(ROOT / "scripts" / "check_wheel.py")).stdout


def test_a_required_reader_is_not_left_out(tmp_path):
    with pytest.raises(AssertionError, match="/nonexistent/cc"):
        Installed(tmp_path, RUNOFF_READER="required", CC="/nonexistent/cc")
