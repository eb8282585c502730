"""Arrays in files: what is too large for memory lies on disk as long as it is in use."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from runoff.errors import UsageError


class Scratch:
    """Takes large arrays into files of a folder, that of temporary files (TMPDIR) if None.

    needed  how many bytes they will take in all: a folder without that room is refused at once

    The files have no names and go with their arrays, also when the process is killed. Only the pages that are looked at
    are in memory, and the system takes them back when it needs room.

    >>> values = Scratch().moved(np.arange(6.0))
    >>> values[2:4].tolist(), values.flags.writeable
    ([2.0, 3.0], True)
    """

    def __init__(self, folder: Path | None = None, *, needed: int = 0) -> None:
        self.folder = Path(tempfile.gettempdir()) if folder is None else folder
        if needed:
            try:
                free = shutil.disk_usage(self.folder).free
            except OSError as error:
                raise self._without_room(needed, str(error.strerror)) from None
            if free < needed:
                raise self._without_room(needed, f"{free:,} are free")
        self.size = 0
        """How many bytes were taken in all."""

    def empty(self, shape: tuple[int, ...], dtype: DTypeLike, *, order: Literal["C", "F"] = "C") -> NDArray[Any]:
        """An array of zeros in a file of its own; `order` as in numpy."""
        size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        if not size:
            return np.zeros(shape, dtype=dtype, order=order)
        try:
            with tempfile.TemporaryFile(dir=self.folder) as file:
                os.posix_fallocate(file.fileno(), 0, size)  # a full disk is told now, and does not end the process
                array = np.memmap(file, dtype=dtype, mode="r+", shape=shape, order=order)
        except OSError as error:
            raise self._without_room(size, str(error.strerror)) from None
        self.size += size
        return np.asarray(array)

    def moved(self, array: NDArray[Any]) -> NDArray[Any]:
        """The same array in a file; itself if it lies in one."""
        if in_file(array):
            return array
        there = self.empty(array.shape, array.dtype)
        there[...] = array
        return there

    def _without_room(self, size: int, why: str) -> UsageError:
        return UsageError(
            f"{self.folder}: has no room for {size:,} bytes of a board that is too large for memory ({why}); expected "
            "a folder with room; name one by TMPDIR"
        )


def in_file(array: NDArray[Any]) -> bool:
    """Whether an array, or what it is a view of, lies in a file."""
    base: object = array
    while isinstance(base, np.ndarray):
        if isinstance(base, np.memmap):
            return True
        base = base.base
    return False
