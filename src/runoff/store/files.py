"""Files by content: the name of a file is the SHA-256 of its bytes, and never comes from outside.

A file is written under a temporary name, brought to the disk, and moved; so under its own name it is always whole.
Nothing is ever overwritten or altered.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from runoff.errors import LimitError, NotFoundError, StoreError

_HASH: Final = re.compile(r"[0-9a-f]{64}")
_BLOCK: Final = 1 << 20


@dataclass(frozen=True)
class StoredFile:
    """A file of the store: the SHA-256 of its content, and its size in bytes."""

    content_hash: str
    size: int


class FileStore:
    """A folder of files by content hash; `incoming` in it holds what is being written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._incoming = folder / "incoming"

    def save(self, chunks: Iterable[bytes], *, limit: int) -> StoredFile:
        """Write a stream of bytes, at most `limit` of them; the file is on the disk when this returns.

        With more bytes, a broken stream or a full disk it raises and leaves nothing behind.
        """
        try:
            self._make(self._incoming)
            handle, name = tempfile.mkstemp(dir=self._incoming)
        except OSError as error:
            raise _unwritable(self.folder, error) from error
        try:
            try:
                content_hash, size = self._copy(chunks, handle, limit)
            finally:
                os.close(handle)
            self._move(Path(name), content_hash)
        finally:
            with suppress(FileNotFoundError):
                Path(name).unlink()
        return StoredFile(content_hash, size)

    def path(self, content_hash: str) -> Path:
        """Where the file of a hash is, after all of it was read and found whole."""
        file = self._place(content_hash)
        digest = hashlib.sha256()
        try:
            with file.open("rb") as stream:
                while block := stream.read(_BLOCK):
                    digest.update(block)
        except FileNotFoundError:
            raise NotFoundError(f"the file store has no file {content_hash}; restore it from a backup") from None
        if digest.hexdigest() != content_hash:
            raise StoreError(f"{file}: the content has changed since it was stored; restore it from a backup")
        return file

    def has(self, content_hash: str) -> bool:
        """Whether there is a file of this hash."""
        return self._place(content_hash).is_file()

    def hashes(self) -> Iterator[str]:
        """The hashes of all files, in order."""
        for folder in sorted(self.folder.glob("[0-9a-f][0-9a-f]")):
            yield from (folder.name + file.name for file in sorted(folder.iterdir()))

    def remove_leftovers(self, *, before: datetime) -> int:
        """Remove what killed programs left in `incoming` and nobody has written to since `before`; return how many."""
        removed = 0
        for file in self._incoming.glob("*"):
            with suppress(FileNotFoundError):
                if file.stat().st_mtime < before.timestamp():
                    file.unlink()
                    removed += 1
        return removed

    def _place(self, content_hash: str) -> Path:
        if not _HASH.fullmatch(content_hash):
            raise NotFoundError(f"{content_hash[:80]!r} is no SHA-256; expected 64 of 0-9 and a-f")
        return self.folder / content_hash[:2] / content_hash[2:]

    def _copy(self, chunks: Iterable[bytes], handle: int, limit: int) -> tuple[str, int]:
        digest, size = hashlib.sha256(), 0
        for chunk in chunks:
            size += len(chunk)
            if size > limit:
                raise LimitError(
                    [f"upload: more than {limit:,} bytes; expected {limit:,} or fewer; send a smaller file"]
                )
            digest.update(chunk)
            rest = memoryview(chunk)
            try:
                while rest:
                    rest = rest[os.write(handle, rest) :]
            except OSError as error:
                raise _unwritable(self.folder, error) from error
        try:
            os.fsync(handle)
        except OSError as error:
            raise _unwritable(self.folder, error) from error
        return digest.hexdigest(), size

    def _move(self, file: Path, content_hash: str) -> None:
        place = self._place(content_hash)
        try:
            self._make(place.parent)
            file.chmod(0o400)
            # Over a file of the same content this changes nothing, except that damage is repaired.
            file.replace(place)
            _sync_folder(place.parent)
        except OSError as error:
            raise _unwritable(self.folder, error) from error

    def _make(self, folder: Path) -> None:
        if not folder.is_dir():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _sync_folder(folder.parent)


def _unwritable(folder: Path, error: OSError) -> StoreError:
    return StoreError(
        f"{folder}: the file could not be stored: {error.strerror}; nothing of it was kept; make room there"
    )


def _sync_folder(folder: Path) -> None:
    """Bring the names of a folder to the disk: a moved file could otherwise be gone after a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
