"""Whether a server could take a run now: its database can be written, there is room, and no label file is lost."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import SQLAlchemyError

from runoff.errors import StoreError
from runoff.server.store.files import load_label_hashes
from runoff.server.store.migrations import current_revision

if TYPE_CHECKING:
    from runoff.server.store.database import Database
    from runoff.server.store.files import FileStore

ROOM: Final = 1 << 20
"""Bytes that have to be free on every disk that the server writes to."""


def find_fault(database: Database, files: FileStore) -> str:
    """What stops the server from taking a run, for its log; empty if nothing does.

    It writes for a test: a file that is removed at once, and a transaction that is taken back.
    """
    try:
        with database.read() as connection:
            if current_revision(connection) is None:
                return "the database has no tables"
            hashes = load_label_hashes(connection)
        database.check_writable()
        with files.receive(limit=ROOM) as probe:
            probe.write(bytes(ROOM))
        for folder in (database.folder, Path(tempfile.gettempdir())):
            if folder is not None and shutil.disk_usage(folder).free < ROOM:
                return f"{folder}: the disk is full"
        lost = [content_hash for content_hash in sorted(hashes) if not files.has(content_hash)]
        return f"{files.place(lost[0])}: a file of labels or queries is lost ({len(lost):,} in all)" if lost else ""
    except (StoreError, SQLAlchemyError, OSError) as error:
        return str(error)
