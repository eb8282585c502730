"""Uploaded files by content hash, written to a temporary name and moved; files that nothing names are removed."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Final, Self

from sqlalchemy import select

from runoff.errors import BusyError, LimitError, NoRoomError, NotFoundError, StoreError
from runoff.server.store.database import Database
from runoff.server.store.models.boards import LABEL_SET, QUERY_SET, RUN
from runoff.server.store.models.campaigns import CAMPAIGN_SETTINGS
from runoff.server.store.private_files import make_private_folder

if TYPE_CHECKING:
    from sqlalchemy import Column, Connection

_HASH: Final = re.compile(r"[0-9a-f]{64}")
_BLOCK: Final = 1 << 20
FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What the system says when a disk, a quota or a limit for files is full."""


@dataclass(frozen=True)
class StoredFile:
    """A file of the store: the SHA-256 of its content, and its size in bytes."""

    content_hash: str
    size: int


class Incoming:
    """A file that is arriving: written under a temporary name, and gone at the end of its `with` unless it is kept."""

    def __init__(self, store: FileStore, limit: int) -> None:
        self.size = 0
        self.path = Path()
        self._store = store
        self._limit = limit
        self._digest = hashlib.sha256()
        self._handle = -1
        self._is_settled = False
        self.is_kept = False

    def __enter__(self) -> Self:
        with _storing(self._store.folder):
            self._store.make(self._store.incoming)
            self._handle, name = tempfile.mkstemp(dir=self._store.incoming)
        self.path = Path(name)
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
        with suppress(FileNotFoundError):
            self.path.unlink()

    @property
    def content_hash(self) -> str:
        """The SHA-256 of what has arrived."""
        return self._digest.hexdigest()

    def write(self, chunk: bytes) -> None:
        """Add bytes; more of them than the limit are refused."""
        self.size += len(chunk)
        if self.size > self._limit:
            limit = f"{self._limit:,}"
            raise LimitError([f"upload: more than {limit} bytes; expected {limit} or fewer; send a smaller file"])
        self._digest.update(chunk)
        rest = memoryview(chunk)
        with _storing(self._store.folder):
            while rest:
                rest = rest[os.write(self._handle, rest) :]

    def settle(self) -> None:
        """Bring the content to the disk, still under its temporary name; it is whole then and can be read."""
        if not self._is_settled:
            with _storing(self._store.folder):
                os.fsync(self._handle)
                self.path.chmod(0o400)
            self._is_settled = True

    def keep(self) -> StoredFile:
        """Move the file to its own name, on the disk when this returns; done twice it changes nothing."""
        self.settle()
        place = self._store.place(self.content_hash)
        with _storing(self._store.folder):
            if not self.is_kept:
                self._store.make(place.parent)
                # Over a file of the same content this changes nothing, except that damage is repaired.
                self.path.replace(place)
                self.is_kept = True
            _sync_folder(place.parent)
        return StoredFile(self.content_hash, self.size)


class FileStore:
    """A folder of files by content hash; `incoming` in it holds what is being written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.incoming = folder / "incoming"

    def receive(self, *, limit: int) -> Incoming:
        """A new file to write to, at most `limit` bytes; it is a context manager that leaves nothing unless kept."""
        return Incoming(self, limit)

    def save(self, chunks: Iterable[bytes], *, limit: int) -> StoredFile:
        """Write a stream of bytes, at most `limit` of them; the file is on the disk when this returns.

        With more bytes, a broken stream or a full disk it raises and leaves nothing behind.
        """
        with self.receive(limit=limit) as incoming:
            for chunk in chunks:
                incoming.write(chunk)
            return incoming.keep()

    @contextmanager
    def holding(self, *, alone: bool = False) -> Iterator[None]:
        """Held from keeping a file to the commit of its row, by many at once; and `alone`, to remove files.

        So nobody removes a file whose row is about to be there. A killed program holds nothing. Who wants to be alone
        waits a second at most: a backup holds the files for long.
        """
        with _storing(self.folder):
            self.make(self.folder)
            handle = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if alone:
                _lock_alone(handle, self.folder)
            else:
                fcntl.flock(handle, fcntl.LOCK_SH)
            yield
        finally:
            os.close(handle)

    def path(self, content_hash: str) -> Path:
        """Where the file of a hash is, after all of it was read and found whole."""
        file = self.place(content_hash)
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
        return self.place(content_hash).is_file()

    def hashes(self) -> Iterator[str]:
        """The hashes of all files, in order."""
        for folder in sorted(self.folder.glob("[0-9a-f][0-9a-f]")):
            yield from (folder.name + file.name for file in sorted(folder.iterdir()))

    def remove_leftovers(self, *, before: datetime) -> int:
        """Remove what killed programs left in `incoming` and nobody has written to since `before`; return how many."""
        removed = 0
        for file in self.incoming.glob("*"):
            with suppress(FileNotFoundError):
                if file.stat().st_mtime < before.timestamp():
                    file.unlink()
                    removed += 1
        return removed

    def place(self, content_hash: str) -> Path:
        """Where the file of a hash is or would be."""
        if not _HASH.fullmatch(content_hash):
            raise NotFoundError(f"{content_hash[:80]!r} is not a SHA-256 hash; expected 64 of 0-9 and a-f")
        return self.folder / content_hash[:2] / content_hash[2:]

    def make(self, folder: Path) -> None:
        """Make a folder, on the disk when this returns."""
        if not folder.is_dir():
            make_private_folder(folder)
            _sync_folder(folder.parent)


@contextmanager
def _storing(folder: Path) -> Iterator[None]:
    """Errors of the system as errors of the store."""
    try:
        yield
    except OSError as error:
        kind = NoRoomError if error.errno in FULL else StoreError
        raise kind(
            f"{folder}: the file could not be stored: {error.strerror}; nothing of it was kept; make room there"
        ) from error


def _lock_alone(handle: int, folder: Path) -> None:
    for _ in range(50):
        with suppress(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        Event().wait(0.02)  # a wait, not a clock
    raise BusyError(f"{folder}: the files are in use, so nothing can be removed now; try again later")


def _sync_folder(folder: Path) -> None:
    """Bring the names of a folder to the disk: a moved file could otherwise be gone after a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def load_known_hashes(connection: Connection) -> frozenset[str]:
    """The hashes of all files that the database refers to."""
    texts = CAMPAIGN_SETTINGS.c.query_texts, CAMPAIGN_SETTINGS.c.doc_texts
    return load_label_hashes(connection) | _load_hashes(connection, RUN.c.content_hash, *texts)


def load_label_hashes(connection: Connection) -> frozenset[str]:
    """The hashes of all open labels and lists of queries; without these no run can be scored."""
    return _load_hashes(connection, LABEL_SET.c.content_hash, QUERY_SET.c.content_hash)


def _load_hashes(connection: Connection, *columns: Column[str]) -> frozenset[str]:
    hashes: set[str | None] = set()
    for column in columns:
        hashes |= set(connection.execute(select(column)).scalars())
    return frozenset(content_hash for content_hash in hashes if content_hash is not None)


def remove_orphans(database: Database, files: FileStore, *, before: datetime) -> tuple[str, ...]:
    """Remove the files that no row refers to and that are older than `before`; return their hashes.

    Younger ones may belong to a transaction that is on its way.
    """
    old = [content_hash for content_hash in files.hashes() if _is_older(files, content_hash, before)]
    if not old:
        return ()
    removed = []
    with files.holding(alone=True):
        with database.read() as connection:
            hashes = load_known_hashes(connection)
        for content_hash in old:
            # Asked again: the same content may have been stored meanwhile.
            if content_hash not in hashes and _is_older(files, content_hash, before):
                files.place(content_hash).unlink()
                removed.append(content_hash)
    return tuple(removed)


def remove_if_orphan(database: Database, files: FileStore, content_hash: str) -> bool:
    """Remove a file whose row was refused for certain, unless another row refers to it; whether it was removed."""
    with files.holding(alone=True):
        with database.read() as connection:
            if content_hash in load_known_hashes(connection):
                return False
        with suppress(FileNotFoundError):
            files.place(content_hash).unlink()
        return True


def _is_older(files: FileStore, content_hash: str, before: datetime) -> bool:
    try:
        return files.place(content_hash).stat().st_mtime < before.timestamp()
    except FileNotFoundError:
        return False
