"""Engines: what does the work, on this machine or on others; the results come in the order of the units."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import numpy as np

from runoff.errors import UsageError
from runoff.files.streams import map_in_order
from runoff.reading.score_units import Unit, digest_of_qrels, score_unit
from runoff.tables.qrels import Qrels
from runoff.tables.serp_parts import PART_ARRAYS, SerpPart

Block = TypeVar("Block")
Asked = TypeVar("Asked")
Found = TypeVar("Found")
_NAME: Final = "name"


class Engine(Protocol):
    """Does units of work; the outcome is the same whatever engine does it."""

    def scored(self, units: Sequence[Unit], qrels: Qrels | None) -> Iterator[SerpPart]:
        """What each unit earns, in the order of the units; few results wait in memory at a time.

        qrels  None where every unit has labels of its own
        """
        ...

    def mapped(
        self, function: Callable[[Block, Asked], Found], blocks: Sequence[Block], asked: Sequence[Asked]
    ) -> Iterator[Found]:
        """What a function makes of every block for the first thing asked, then for the next; in this order."""
        ...


class HereEngine:
    """Threads of this process."""

    def mapped(
        self, function: Callable[[Block, Asked], Found], blocks: Sequence[Block], asked: Sequence[Asked]
    ) -> Iterator[Found]:
        """See `Engine`."""
        pairs = [(block, one) for one in asked for block in blocks]
        return map_in_order(lambda pair: function(*pair), pairs)

    def scored(self, units: Sequence[Unit], qrels: Qrels | None) -> Iterator[SerpPart]:
        """See `Engine`."""
        if qrels is not None:
            qrels.table  # noqa: B018  # made once, here, and not by every thread
        return map_in_order(partial(score_unit, qrels=qrels), units)


class ResumedEngine:
    """Another engine that keeps what is done in a folder, and does not do it again.

    A result is kept under a name made of its file's size and time of change, its rows, the question and the labels, so
    that nothing that has changed is taken for done. It appears in the folder only when it is complete.
    """

    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine = engine
        self.folder = folder
        self.found = 0
        """How many results were there already."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{folder}: cannot be made ({error.strerror}); expected a folder; name another") from None

    def mapped(
        self, function: Callable[[Block, Asked], Found], blocks: Sequence[Block], asked: Sequence[Asked]
    ) -> Iterator[Found]:
        """See `Engine`; nothing of this is kept."""
        return self.engine.mapped(function, blocks, asked)

    def scored(self, units: Sequence[Unit], qrels: Qrels | None) -> Iterator[SerpPart]:
        """See `Engine`."""
        from concurrent.futures import ThreadPoolExecutor

        labels = "" if qrels is None else digest_of_qrels(qrels)
        files = [self.folder / f"{unit.key(labels)}.npz" for unit in units]
        there = _names(self.folder)
        rest = self.engine.scored(
            [one for one, file in zip(units, files, strict=True) if file.name not in there], qrels
        )
        # Written by a thread, which Ctrl-C does not reach: numpy's archive, cut off, raises errors of its own.
        with ThreadPoolExecutor(1) as writer:
            for unit, file in zip(units, files, strict=True):
                kept = _read(file) if file.name in there else None
                if kept is not None:
                    self.found += 1
                else:  # a damaged one is done by itself
                    kept = next(rest if file.name not in there else self.engine.scored([unit], qrels))
                    writer.submit(_write, file, kept).result()
                yield kept


def _names(folder: Path) -> set[str]:
    try:
        return {file.name for file in folder.iterdir()}
    except OSError as error:
        raise UsageError(
            f"{folder}: cannot be read ({error.strerror}); expected the folder of finished parts; name another"
        ) from None


def _write(file: Path, part: SerpPart) -> None:
    import tempfile

    try:
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as beside:
            arrays: dict[str, Any] = {_NAME: np.array(file.name)}
            np.savez(beside, **arrays, **{name: getattr(part, name) for name in PART_ARRAYS})
            beside.flush()
            os.fsync(beside.fileno())
        Path(beside.name).replace(file)
    except OSError as error:
        raise UsageError(
            f"{file.parent}: cannot be written to ({error.strerror}); expected a folder with room; name another"
        ) from None


def _read(file: Path) -> SerpPart | None:
    """A result that was kept; None if there is none, or only a damaged one, or one that had another name."""
    import zipfile

    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            if str(arrays[_NAME]) != file.name:
                return None
            return SerpPart(**{name: arrays[name] for name in PART_ARRAYS})
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile):
        return None
