"""Paths that a file from a stranger names: resolved inside one folder, or refused before anything is opened."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath, PureWindowsPath

from runoff.files.parquet.shards import is_address


def path_inside(folder: Path, name: str, *, relative_to: Path | None = None) -> Path | None:
    """The path that a name means, if it is inside the folder; None if it leads out of it, or could.

    relative_to  a folder inside the first, from which the name starts; else the first

    Absolute paths, addresses, drives, `~` and unprintable characters are refused wherever they lead; `..` and links
    may stay inside. Whatever is outside is not even looked at.

    >>> [path_inside(Path("board"), name) for name in ("runs/a", "runs/../../b", "/etc/passwd", "s3://bucket/a")]
    [PosixPath('board/runs/a'), None, None, None]
    """
    windows = PureWindowsPath(name)
    is_absolute = PurePosixPath(name).is_absolute() or bool(windows.root) or bool(windows.drive)
    if is_absolute or is_address(name) or name.startswith("~") or not name.isprintable():
        return None
    path = (folder if relative_to is None else relative_to) / name
    # By the names alone first, so that no link outside is looked at.
    if not Path(os.path.normpath(path.absolute())).is_relative_to(os.path.normpath(folder.absolute())):
        return None
    return path if is_inside(folder, path) else None


def is_inside(folder: Path, path: Path) -> bool:
    """Whether a path is inside the folder, once links are followed, and the file as well of which it names a part."""
    named = [os.fspath(path), os.fspath(path).rpartition("#")[0] or path]
    return all(Path(os.path.realpath(each)).is_relative_to(os.path.realpath(folder)) for each in named)


def checked_inside(folder: Path, path: object) -> Path:
    """A path from a process that read a stranger's file, which could answer anything; ValueError if it is outside."""
    if not isinstance(path, str) or not is_inside(folder, Path(path)):
        raise ValueError("a path outside the folder")
    return Path(path)
