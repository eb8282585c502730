"""What is in a file that a stranger sent: its faults, and whether it is a run for the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from runoff.errors import InputError
from runoff.files.qrels import read_qrels
from runoff.server.cases.uploads.limited_process import LimitedReader
from runoff.server.cases.uploads.run import (
    SHOWN_PROBLEMS,
    board_of_settings,
    clean_file_name,
    readable_run,
    score_upload,
    settings_for_scoring,
)

if TYPE_CHECKING:
    from runoff.tables.settings import BoardSettings

_NO_LABELS: Final = b"- 0 - 1\n"


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
    reader: LimitedReader,
) -> FoundInFile:
    """Read a file as scoring does, on open labels alone, until some of them share a query with it.

    labels     names and files; without any, the form of the file is all that is looked at
    max_bytes  of the file when it is decompressed
    """
    called = clean_file_name(file_name)
    request = {
        "path": str(path),
        "labels": [(name, str(place)) for name, place in labels],
        "settings": settings_for_scoring(board),
        "called": called,
        "max_bytes": max_bytes,
    }
    try:
        return reader.read(found_in, request, called=called, into=_found)
    except InputError as error:
        return FoundInFile(problems=tuple(error.problems[:SHOWN_PROBLEMS]))


def found_in(
    path: str, labels: Sequence[Sequence[str]], settings: Mapping[str, Any], called: str, max_bytes: int
) -> dict[str, Any]:
    """The fields of a `FoundInFile`, found in this process."""
    board = board_of_settings(settings)
    found: list[FoundInFile] = []
    with readable_run(Path(path), called=called, max_bytes=max_bytes) as readable:
        for name, place in labels or [("labels", "")]:
            qrels = read_qrels(Path(place) if place else _NO_LABELS, name=name)
            scored = score_upload(readable, qrels, board, name="run", max_bytes=max_bytes)
            found.append(FoundInFile(queries=len(qrels.query_ids), missing_queries=scored.facts.missing_queries))
            if not place or found[-1].missing_queries < found[-1].queries:
                return asdict(found[0])
    like = f"expected ids such as {qrels.query_ids[0]!r}; check that this is the run for this board"
    problem = f"{called}: no query of this file is one of board {board.slug!r}; {like}"
    return {**asdict(found[0]), "problems": [problem]}


def _found(plain: Mapping[str, Any]) -> FoundInFile:
    return FoundInFile(
        problems=tuple(str(problem) for problem in plain["problems"]),
        queries=int(plain["queries"]),
        missing_queries=int(plain["missing_queries"]),
    )
