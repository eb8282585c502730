"""The top documents of a run that a stranger sent, read in a process with limits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from runoff.reading.sources import ReadOptions, as_run
from runoff.server.cases.uploads.limited_process import LimitedReader
from runoff.server.cases.uploads.run import readable_bytes, readable_run
from runoff.tables.ids import Ids
from runoff.tables.run import Run


def read_top(path: Path, depth: int, *, name: str, called: str, max_bytes: int, reader: LimitedReader) -> Run:
    """A run cut at a depth."""
    request = {"path": str(path), "depth": depth, "called": called, "max_bytes": max_bytes}
    return reader.read(top_in, request, called=called, into=lambda plain: _run(plain, name))


def top_in(path: str, depth: int, called: str, max_bytes: int) -> dict[str, Any]:
    """What `read_top` returns as plain data, found in this process."""
    with readable_run(Path(path), called=called, max_bytes=max_bytes) as readable:
        most = readable_bytes(readable.stat().st_size, max_bytes)
        top = as_run(readable, reading=ReadOptions(max_bytes=most)).top(depth)
    return {
        "query_ids": list(top.query_ids),
        "bounds": top.bounds,
        "docs": list(top.docs),
        "run_scores": top.run_scores,
        "tie_rule": top.tie_rule,
    }


def _run(plain: Mapping[str, Any], name: str) -> Run:
    query_ids, docs = [tuple(str(one) for one in plain[key]) for key in ("query_ids", "docs")]
    bounds, scores = plain["bounds"], plain["run_scores"]
    ends = (int(bounds[0]), int(bounds[-1]), len(scores), len(bounds))
    if ends != (0, len(docs), len(docs), len(query_ids) + 1) or (np.diff(bounds) < 0).any():
        raise ValueError("rows that do not belong together")
    if (bounds.dtype, scores.dtype, scores.ndim, bounds.ndim) != (np.int64, np.float64, 1, 1):
        raise ValueError("arrays of another form")
    return Run(
        name=name, query_ids=query_ids, bounds=bounds, docs=Ids.of(docs), run_scores=scores, tie_rule=plain["tie_rule"]
    )
