"""Folders and patterns that name several run files: one run for each file, unless they hold Parquet."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from runoff.files.parquet.columns import is_parquet
from runoff.files.parquet.shards import is_address, is_folder, is_pattern, named_here, natural_order

_BESIDE: Final = re.compile(r"(?i)(?:readme|licen[cs]e)(?:\.\w+)?|ir[-_]metadata\.ya?ml")
"""Names of files that are beside runs and are none."""
_HIDDEN: Final = (".", "_")


class SkippedFilesWarning(UserWarning):
    """What is in a folder of runs and is none, such as a README, was left out."""


class RunPaths(NamedTuple):
    """The run files that a folder or pattern names, and what else is there, by its names."""

    runs: tuple[str, ...]
    skipped: tuple[str, ...]


def run_paths(path: str | os.PathLike[str]) -> RunPaths | None:
    """The runs in a folder, or those that a pattern names; None for a file, and for what is one run in shards.

    A folder with Parquet is one run, and so is a pattern that names Parquet alone.
    """
    place = os.fspath(path)
    if place == "-" or is_address(place):
        return None
    if is_pattern(place):
        pattern, _, part = place.rpartition("#")
        files = named_here(place)
        if not files and is_pattern(pattern):
            files = [f"{file}#{part}" for file in named_here(pattern)]
        return None if all(map(is_parquet, files)) else _split(files)
    if not is_folder(place) or named_here(place):
        return None
    folder = Path(place)
    paths = _split([os.fspath(file) for file in folder.iterdir() if file.is_file()])
    below = [f"{inner.name}/" for inner in sorted(folder.iterdir()) if inner.is_dir()]
    return RunPaths(runs=paths.runs, skipped=(*paths.skipped, *below)) if paths.runs else None


def is_beside(path: str | os.PathLike[str]) -> bool:
    """Whether a file's name says that it is no run, as that of a README does."""
    return _BESIDE.fullmatch(Path(path).name) is not None


def _split(files: Sequence[str]) -> RunPaths:
    listed = sorted(files, key=natural_order)
    skipped = [file for file in listed if Path(file).name.startswith(_HIDDEN) or is_beside(file)]
    return RunPaths(
        runs=tuple(file for file in listed if file not in skipped), skipped=tuple(Path(file).name for file in skipped)
    )
