"""Judgments that somebody sent, read in a process with limits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from runoff.files.judging.judgments import read_judgments
from runoff.files.streams import source_name
from runoff.server.cases.uploads.limited_process import LimitedReader
from runoff.tables.preferences import Preferences


def read_judgments_apart(source: Path | bytes, *, reader: LimitedReader) -> Preferences:
    """The judgments of a file of any form that `runoff tally` reads."""
    given = source if isinstance(source, bytes) else str(source)
    return reader.read(judgments_in, {"source": given}, called=source_name(given), into=Preferences.of)


def judgments_in(source: str | bytes) -> Sequence[Sequence[Any]]:
    """The rows of a file, found in this process."""
    return [tuple(row) for row in read_judgments(source)]
