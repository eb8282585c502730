"""Parquet runs from strangers as text, by a process of its own: a damaged file can end the one that reads it."""

from __future__ import annotations

from pathlib import Path

from runoff.workflows.limited_process import SECONDS, answer_asker, ask_process


def write_parquet_as_text(source: Path, target: Path, *, max_bytes: int, seconds: float = SECONDS) -> None:
    """Write the run in a Parquet file as text; whatever the file does to its reader becomes an `InputError`.

    Memory has no limit here: a file of the store was read under one when it was taken.
    """
    request = {"source": str(source), "target": str(target), "max_bytes": max_bytes}
    ask_process(__name__, request, called=str(source), memory=None, seconds=seconds)


def write_text(source: str, target: str, max_bytes: int) -> None:
    """The same in this process."""
    from runoff.files.runs import read_run

    run = read_run(source, max_bytes=max_bytes)
    with Path(target).open("w", encoding="utf-8") as file:
        file.writelines(f"{query_id} Q0 {doc_id} 0 {score!r} run\n" for query_id, doc_id, score in run)


if __name__ == "__main__":
    answer_asker(write_text)
