"""Programs that tests of the second tier start; one that is missing is a failure, never a skip."""

from __future__ import annotations

import shutil

import pytest


def required(program: str) -> str:
    """Path of a program on the PATH."""
    path = shutil.which(program)
    if path is None:
        pytest.fail(f"{program} is missing; install it with scripts/system-packages (as root) and run this test again")
    return path
