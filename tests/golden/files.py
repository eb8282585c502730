"""Readers for the goldens: plain, slow, and apart from those under test."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

Golden = dict[tuple[str, str], str]
"""What trec_eval printed, by its name of the measure and the query (`all` for the mean)."""
Table = dict[str, dict[str, Any]]
"""By query and document."""

HALF_DIGIT = 0.5e-4 + 1e-9
"""trec_eval prints four digits, so the value is this close to what is printed."""


def read_golden(file: Path) -> Golden:
    """The lines `measure query value` that trec_eval printed."""
    fields = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    return {(name, query): value for name, query, value in fields}


def read_table(file: Path, column: int, kind: Callable[[str], Any]) -> Table:
    """One column of a run (4) or qrels (3) file, as pytrec_eval wants it."""
    content = file.read_bytes()
    text = (gzip.decompress(content) if file.suffix == ".gz" else content).decode("utf-8", "surrogateescape")
    table: Table = {}
    for fields in map(str.split, text.splitlines()):
        table.setdefault(fields[0], {})[fields[2]] = kind(fields[column])
    return table
