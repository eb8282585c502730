"""Memory of large arrays: keep freed memory for the next block, and spill what is too large into temporary files."""

from __future__ import annotations

import os
import threading
import weakref
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from runoff.errors import UsageError

_JUST_BELOW_THE_LIMIT = 31 << 20


def keep_freed_memory() -> None:
    """Let the C library keep freed blocks for the next ones instead of giving them back to the system.

    Work in blocks takes and frees the same arrays over and over. glibc returns a freed block to the system unless a
    larger one, of up to 32 MB, has been freed before (mallopt(3), M_MMAP_THRESHOLD), and every page that it takes again
    is a page fault. So one is freed here, untouched, at no cost: page faults of a 7-million-line run fall from 110,000
    to 35,000 and its system time from 0.47 s to 0.11 s. With other C libraries it does nothing.
    """
    np.empty(_JUST_BELOW_THE_LIMIT, dtype=np.uint8)


FILE_SIZE: Final = 1 << 28
"""Bytes of the first file, if no array is larger; further ones grow with what was taken, so that files stay few."""
_ALIGNED: Final = 64
_ZEROS: Final = bytes(1 << 20)


class Scratch:
    """Takes large arrays into files of a folder, that of temporary files (TMPDIR) if None.

    needed  how many bytes they will take in all: a folder without that room is refused at once

    The files have no names and go with their arrays, also when the process is killed. Only the pages that are looked at
    are in memory, and the system takes them back when it needs room. Many arrays share a file, since each file that is
    mapped counts among those that a process may have open.

    >>> values = Scratch().moved(np.arange(6.0))
    >>> values[2:4].tolist(), values.flags.writeable
    ([2.0, 3.0], True)
    """

    def __init__(self, folder: Path | None = None, *, needed: int = 0) -> None:
        import tempfile  # with `shutil`: most commands need no files

        self.folder = Path(tempfile.gettempdir()) if folder is None else folder
        self._todo = "name another" if folder is not None else "name one by TMPDIR"
        if needed:
            import shutil

            try:
                free = shutil.disk_usage(self.folder).free
            except OSError as error:
                raise self._without_room(needed, str(error.strerror)) from None
            if free < needed:
                raise self._without_room(needed, f"{free:,} are free")
        self.size = 0
        """How many bytes were taken in all."""
        self._file: _File | None = None
        self._turn = threading.Lock()

    def empty(self, shape: tuple[int, ...], dtype: DTypeLike, *, order: Literal["C", "F"] = "C") -> NDArray[Any]:
        """An array of zeros in a file; `order` as in numpy."""
        size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        if not size:
            return np.zeros(shape, dtype=dtype, order=order)
        with self._turn:
            try:
                if self._file is None or self._file.left < size:
                    self._file = _File(self.folder, max(FILE_SIZE, size, self.size // 8))
                taken = self._file.taken(size)
            except OSError as error:
                raise self._without_room(size, str(error.strerror)) from None
            self.size += size
        return np.asarray(taken).view(dtype).reshape(shape, order=order)

    def moved(self, array: NDArray[Any]) -> NDArray[Any]:
        """The same array in a file; itself if it is in one."""
        if in_file(array):
            return array
        copy = self.empty(array.shape, array.dtype)
        copy[...] = array
        return copy

    def _without_room(self, size: int, why: str) -> UsageError:
        return UsageError(
            f"{self.folder}: cannot take {size:,} bytes of a board that is too large for memory ({why}); expected a "
            f"folder with room; {self._todo}"
        )


class _File:
    """A file without a name, of which arrays are taken one behind the other; it has room on disk for these alone."""

    def __init__(self, folder: Path, size: int) -> None:
        import tempfile

        with tempfile.TemporaryFile(dir=folder) as file:
            file.truncate(size)
            self._bytes = np.memmap(file, dtype=np.uint8, mode="r+", shape=(size,))
            self._number = os.dup(file.fileno())
        weakref.finalize(self, os.close, self._number)
        self._used = 0

    @property
    def left(self) -> int:
        return len(self._bytes) - self._used

    def taken(self, size: int) -> NDArray[np.uint8]:
        """The next `size` bytes, for which there is room: a full disk is noticed now, and does not end the process."""
        start = self._used
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(self._number, start, size)
        else:
            for low in range(start, start + size, len(_ZEROS)):
                os.pwrite(self._number, _ZEROS[: start + size - low], low)
        self._used = min(-(-(start + size) // _ALIGNED) * _ALIGNED, len(self._bytes))
        return self._bytes[start : start + size]


def in_file(array: NDArray[Any]) -> bool:
    """Whether an array, or what it is a view of, is in a file."""
    base: object = array
    while isinstance(base, np.ndarray):
        if isinstance(base, np.memmap):
            return True
        base = base.base
    return False
