"""Runs cut at a depth: of each no more than its top documents is kept."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from runoff.errors import UsageError
from runoff.files.streams import usable_cores
from runoff.reading.sources import Progress, ReadOptions, as_run, names_of, one_tie_rule
from runoff.tables.run import Run


def read_top_runs(
    runs: Sequence[Any], depth: int, *, reading: ReadOptions | None = None, progress: Progress | None = None
) -> tuple[Run, ...]:
    """Read runs, several at a time, and keep their documents to a depth."""
    if not runs:
        raise UsageError("no runs; expected one or more; name some")
    names = names_of(runs)
    found = []
    with ThreadPoolExecutor(min(usable_cores(), len(runs))) as pool:
        tops = pool.map(lambda run, name: as_run(run, name=name, reading=reading).top(depth), runs, names)
        for done, top in enumerate(tops, start=1):
            found.append(top)
            if progress is not None:
                progress(done, len(runs))
    one_tie_rule(run.tie_rule for run in found)
    return tuple(found)
