"""Calls the command line in this process as a user would, and returns the bytes that it prints."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

SUFFIXES = {"table": "txt", "latex": "tex", "markdown": "txt"}
"""The ending of a golden file, where it is not the name of the format. Not `.md`: pytest would run examples in it."""


@dataclass(frozen=True)
class Command:
    """A command whose output is a golden file.

    name    of the golden file, without its ending
    words   what a user types after `runoff`
    writes  files and folders that the command writes beside what it prints; each is a golden file, too
    after   the name of a command that writes a file which this one reads
    format  of what is printed
    """

    name: str
    words: tuple[str, ...]
    writes: tuple[str, ...] = ()
    after: str = ""
    format: str = "json"

    @property
    def verb(self) -> str:
        """The verb of the command line."""
        return self.words[0]

    def outputs(self, folder: Path) -> dict[str, bytes]:
        """Run the command in a folder; by file name, everything that it prints and writes."""
        printed = run_program((*self.words, "--format", self.format), folder)
        found = {f"{self.name}.{SUFFIXES.get(self.format, self.format)}": printed}
        for written in self.writes:
            place = folder / written
            files = sorted(file for file in place.iterdir()) if place.is_dir() else [place]
            for file in files:
                found[f"{self.name}.{file.name}"] = file.read_bytes()
        return found


def run_program(words: Sequence[str], folder: Path) -> bytes:
    """What `runoff WORDS` prints when it is called in a folder; anything but success without a warning is an error."""
    from runoff.cli.main import main

    printed, warned = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    status: object = None
    typed = mock.patch.object(sys, "argv", ["runoff", *words])
    with chdir(folder), typed, redirect_stdout(printed), redirect_stderr(warned):
        try:
            main()
        except SystemExit as stop:
            status = stop.code
    printed.flush()
    warned.flush()
    message = warned.buffer.getvalue().decode("utf-8")
    if status != 0 or message:
        raise AssertionError(f"runoff {' '.join(words)}: exit status {status}, standard error:\n{message}")
    return printed.buffer.getvalue()
