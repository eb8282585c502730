"""Parquet runs from strangers as text."""

from __future__ import annotations

from pathlib import Path

from runoff.files.runs import read_run


def write_text(source: str, target: str, max_bytes: int) -> None:
    """Write the run in a Parquet file as text. The file can end the process that reads it: see `limited_process`."""
    run = read_run(source, max_bytes=max_bytes)
    with Path(target).open("w", encoding="utf-8") as file:
        file.writelines(f"{query_id} Q0 {doc_id} 0 {score!r} run\n" for query_id, doc_id, score in run)
