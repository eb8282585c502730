"""Programs other than Python: tests of the first tier start none, and where one is needed its absence is a failure."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

LATER_TIERS = ("postgresql", "browser", "cluster", "program", "proof")


def required(program: str) -> str:
    """Path of a program on the PATH."""
    path = shutil.which(program)
    if path is None:
        pytest.fail(f"{program} is missing; install it with scripts/system-packages (as root) and run this test again")
    return path


@contextmanager
def python_alone(item: pytest.Item) -> Iterator[None]:
    """While a test of the first tier runs, every program but this Python is refused."""
    if any(item.get_closest_marker(mark) for mark in LATER_TIERS):
        yield
        return
    start = subprocess.Popen.__init__

    def checked(process: subprocess.Popen[Any], args: Any, *others: Any, **options: Any) -> None:
        program = os.fsdecode(args if isinstance(args, str | bytes | os.PathLike) else next(iter(args)))
        if program != sys.executable:
            raise AssertionError(f"{program} is started in the first tier; mark the test `program`, or use Python")
        start(process, args, *others, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess.Popen, "__init__", checked)
        yield
