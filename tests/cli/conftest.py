"""The program as a user starts it, and a small board for it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

RUN = "q1 Q0 a 1 3.0 x\nq1 Q0 b 2 2.0 x\nq1 Q0 z 3 1.0 x\nq2 Q0 c 1 2.0 x\nq2 Q0 d 2 2.0 x\n"
OTHER = "q1 Q0 z 1 3.0 x\nq1 Q0 a 2 2.0 x\nq9 Q0 c 1 1.0 x\n"
QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 2\n"

Result = subprocess.CompletedProcess[str]


@pytest.fixture
def board(tmp_path, monkeypatch) -> Path:
    """A folder with two runs and qrels; the program starts in it."""
    for name, text in (("good.run", RUN), ("poor.run", OTHER), ("qrels.txt", QRELS)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return Path(tmp_path)


@pytest.fixture
def runoff_program() -> Callable[..., Result]:
    """Starts `python -m runoff` in a process of its own."""

    def start(*arguments: str, stdin: str = "", **variables: str) -> Result:
        return subprocess.run(
            [sys.executable, "-m", "runoff", *arguments],
            input=stdin,
            env={**os.environ, **variables},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    return start


@pytest.fixture
def call(capfdbinary, monkeypatch) -> Callable[..., Result]:
    """Calls the same `main` in this process, which is quicker."""
    from runoff.cli.main import main

    def start(*arguments: str) -> Result:
        monkeypatch.setattr(sys, "argv", ["runoff", *arguments])
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capfdbinary.readouterr()
        return Result(arguments, int(stop.value.code or 0), out.decode("utf-8"), err.decode("utf-8"))

    return start
