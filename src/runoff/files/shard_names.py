"""Which Parquet files a folder, a pattern or an address names.

A name that begins with `_` or `.` is left out, as Spark and Hadoop mean it, unless it is asked for.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any, Final

from runoff.errors import InputError
from runoff.files.object_stores import explained_store, is_address, opened_store
from runoff.files.parquet import is_parquet

ENDING: Final = ".parquet"
_HIDDEN: Final = ("_", ".")
_DIGITS: Final = re.compile(r"(\d+)")


def is_pattern(source: object) -> bool:
    """Whether something is a pattern of file names and not itself the name of a file or folder."""
    if not isinstance(source, (str, os.PathLike)) or not glob.has_magic(os.fspath(source)):
        return False
    return is_address(source) or not Path(source).exists()


def named_here(path: str) -> list[str]:
    """The files of this machine that a path or a pattern names, in natural order (part-9 before part-10)."""
    if is_pattern(path):
        matches = sorted(glob.glob(path, recursive=True), key=_natural)  # noqa: PTH207
        return _once(file for one in matches if _is_asked_for(one, path) for file in named_here(one))
    return sorted(_below(path), key=_natural) if Path(path).is_dir() else [path]


def named_by_address(address: str) -> list[str]:
    """The same in a store; there a file of a folder is told by its ending alone."""
    with explained_store(address, is_listing=True):
        store, place = opened_store(address)
        matches = [place]
        if glob.has_magic(address):
            matches = [one for one in sorted(store.glob(place), key=_natural) if _is_asked_for(one, place)]
        found = _once(file for one in matches for file in (_below_address(store, one) if store.isdir(one) else [one]))
    return [str(store.unstrip_protocol(one)) for one in found]


def _below(folder: str) -> Iterator[str]:
    """The Parquet files in a folder and those below it, whatever they are called; links are followed."""

    def refused(error: OSError) -> None:
        what = f"{error.filename}: {(error.strerror or str(error)).lower()}"
        raise InputError([f"{what}; expected a folder that can be read; check its rights"])

    for base, folders, files in os.walk(folder, followlinks=True, onerror=refused):
        folders[:] = [one for one in folders if not one.startswith(_HIDDEN) and not _leads_back(base, one)]
        for file in files:
            path = os.path.join(base, file)  # noqa: PTH118
            if not file.startswith(_HIDDEN) and (_has_ending(file) or is_parquet(path)):
                yield path


def _leads_back(base: str, folder: str) -> bool:
    """Whether a folder is a link to one that it lies in."""
    inside, outside = os.path.realpath(base), os.path.realpath(Path(base) / folder)
    return inside == outside or inside.startswith(outside.rstrip(os.sep) + os.sep)


def _below_address(store: Any, folder: str) -> list[str]:
    base = folder.rstrip("/")
    below = [(one, PurePosixPath(one.removeprefix(base).lstrip("/")).parts) for one in store.find(base)]
    shown = (one for one, parts in below if not any(part.startswith(_HIDDEN) for part in parts))
    return sorted((one for one in shown if _has_ending(one)), key=_natural)


def _has_ending(name: str) -> bool:
    return name.lower().endswith(ENDING)


def _is_asked_for(path: str, pattern: str) -> bool:
    """Whether each hidden part of a path that a pattern found is named by a part of the pattern that is hidden, too."""
    asked = [part for part in _parts(pattern) if part.startswith(_HIDDEN)]
    hidden = [part for part in _parts(path) if part.startswith(_HIDDEN)]
    return all(any(part == one or fnmatchcase(part, one) for one in asked) for part in hidden)


def _parts(path: str) -> Sequence[str]:
    return PurePosixPath(Path(path).as_posix()).parts


def _once(files: Iterable[str]) -> list[str]:
    """Each file once: `**` finds a folder and what is in it."""
    return list({os.path.normpath(file): file for file in reversed(list(files))}.values())[::-1]


def _natural(path: str) -> list[tuple[int, int, str]]:
    """A key under which numbers in names count as numbers."""
    parts = _DIGITS.split(path)
    return [(0, int(part), part) if part.isascii() and part.isdecimal() else (1, 0, part) for part in parts]
