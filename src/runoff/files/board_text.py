"""A board as TOML text, which `board_toml` reads back to an equal board."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from runoff.errors import UsageError
from runoff.tables.board import Board, BoardRun
from runoff.tables.settings import SETTINGS

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def render_board(board: Board, *, folder: str | os.PathLike[str] = ".") -> str:
    """The board as the text of a `board.toml` in some folder; what has its default value is left out.

    >>> print(render_board(Board(title="Demo", measure="RR@10", runs=(BoardRun(name="a", scores={"private": 0.25}),))))
    title = "Demo"
    measure = "RR@10"
    <BLANKLINE>
    [[runs]]
    name = "a"
    scores = { private = 0.25 }
    <BLANKLINE>
    """
    return "\n".join(_lines(board, Path(folder))) + "\n"


def write_board(board: Board, path: str | os.PathLike[str]) -> None:
    """Write a board to a new file; one that is there already is never replaced."""
    target = Path(path)
    try:
        with target.open("x", encoding="utf-8", newline="\n") as file:
            file.write(render_board(board, folder=target.parent))
    except FileExistsError:
        raise UsageError(f"{target}: is there already; expected a new file; name another or move it away") from None
    except OSError as error:
        raise UsageError(f"{target}: cannot be written ({error.strerror}); name another file") from None


def _lines(board: Board, folder: Path) -> Iterator[str]:
    for setting in SETTINGS.values():
        value = getattr(board, setting.name)
        if value != setting.default:
            yield f"{setting.name} = {_value(value)}"
    files: tuple[tuple[str, Mapping[str, Path]], ...] = (("queries", board.queries), ("labels", board.labels))
    for key, paths in files:
        for name, path in paths.items():
            yield from ("", f"[{key}.{_key(name)}]", f"path = {_value(_relative(path, folder))}")
            if key == "labels" and name in board.label_levels:
                yield f"relevance_level = {board.label_levels[name]}"
    for run in board.runs:
        yield from ("", "[[runs]]", *_run_lines(run, folder))


def _run_lines(run: BoardRun, folder: Path) -> Iterator[str]:
    if run.path is not None:
        yield f"path = {_value(_relative(run.path, folder))}"
    yield f"name = {_value(run.name)}"
    if run.team:
        yield f"team = {_value(run.team)}"
    if run.date is not None:
        yield f"date = {run.date.isoformat()}"
    if run.description:
        yield f"description = {_value(run.description)}"
    if run.baseline:
        yield "baseline = true"
    if run.variant_of is not None:
        yield f"variant_of = {_value(run.variant_of)}"
    for key, numbers in (("scores", run.scores), ("costs", run.costs)):
        if numbers:
            yield f"{key} = {{ " + ", ".join(f"{_key(name)} = {_value(one)}" for name, one in numbers.items()) + " }"


def _relative(path: Path, folder: Path) -> str:
    """A path relative to a folder; an absolute one outside the folder stays as it is."""
    if path.is_relative_to(folder):
        return path.relative_to(folder).as_posix()
    return path.as_posix() if path.is_absolute() else Path(os.path.relpath(path, folder)).as_posix()


def _key(name: str) -> str:
    is_bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if is_bare else _value(name)


def _value(value: str | float | datetime | tuple[float | str, ...]) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, datetime):
        return value.isoformat()
    if not isinstance(value, str):
        return repr(value)
    return (
        '"'
        + "".join(_ESCAPES.get(char) or (char if _is_plain(char) else f"\\u{ord(char):04x}") for char in value)
        + '"'
    )


def _is_plain(char: str) -> bool:
    return ord(char) >= 32 and ord(char) != 127
