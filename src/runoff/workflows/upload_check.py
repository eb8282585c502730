"""What is in a file that a stranger sent: its faults, and whether it is a run for the board.

Small plain text is read here, everything else in a process of its own (`limited_process`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, cast

from runoff.errors import InputError
from runoff.files.parquet import is_parquet
from runoff.files.qrels import read_qrels
from runoff.files.streams import is_compressed
from runoff.workflows.limited_process import MEMORY, answer_asker, ask_process
from runoff.workflows.uploaded_run import SHOWN_PROBLEMS, clean_file_name, readable_run, score_upload

if TYPE_CHECKING:
    from runoff.store.boards import BoardSettings

READ_HERE: Final = 1_000_000
"""Bytes of plain text that cost less to read than a process to start."""
_NO_LABELS: Final = b"- 0 - 1\n"
_SETTINGS: Final = ("slug", "measure", "depth", "relevance_level", "gains")


@dataclass(frozen=True, kw_only=True)
class FoundInFile:
    """What is in a file: its problems, and how many of the board's open queries it has."""

    problems: tuple[str, ...] = ()
    queries: int = 0
    missing_queries: int = 0


def look_through(
    path: Path,
    labels: Sequence[tuple[str, Path]],
    board: BoardSettings,
    *,
    file_name: str,
    max_bytes: int,
    memory: int = MEMORY,
) -> FoundInFile:
    """Read a file as scoring does, on open labels alone, until some of them share a query with it.

    labels     names and files; without any, the form of the file is all that is looked at
    max_bytes  of the file when it is decompressed
    memory     bytes that reading it may take, unless it is small
    """
    called = clean_file_name(file_name)
    request = {
        "path": str(path),
        "labels": [(name, str(place)) for name, place in labels],
        "settings": {name: getattr(board, name) for name in _SETTINGS},
        "called": called,
        "max_bytes": max_bytes,
    }
    try:
        if path.stat().st_size <= READ_HERE and not (is_parquet(path) or is_compressed(path)):
            found = found_in(**request)  # type: ignore[arg-type]
        else:
            found = ask_process(__name__, request, called=called, memory=memory)
    except InputError as error:
        return FoundInFile(problems=tuple(error.problems[:SHOWN_PROBLEMS]))
    return FoundInFile(**{**found, "problems": tuple(found["problems"])})


def found_in(
    path: str, labels: Sequence[Sequence[str]], settings: Mapping[str, Any], called: str, max_bytes: int
) -> dict[str, Any]:
    """The fields of a `FoundInFile`, found in this process."""
    # Not the class itself: the process would load the whole database library for it.
    board = cast("BoardSettings", SimpleNamespace(**settings))
    found: list[FoundInFile] = []
    with readable_run(Path(path), called=called, max_bytes=max_bytes, is_limited=True) as readable:
        for name, place in labels or [("labels", "")]:
            qrels = read_qrels(Path(place) if place else _NO_LABELS, name=name)
            scored = score_upload(readable, qrels, board, name="run", max_bytes=max_bytes)
            found.append(FoundInFile(queries=len(qrels.query_ids), missing_queries=scored.facts.missing_queries))
            if not place or found[-1].missing_queries < found[-1].queries:
                return asdict(found[0])
    like = f"expected ids such as {qrels.query_ids[0]!r}; check that this is the run for this board"
    problem = f"{called}: no query of this file is one of board {board.slug!r}; {like}"
    return {**asdict(found[0]), "problems": [problem]}


if __name__ == "__main__":
    answer_asker(found_in)
