"""Files that no row speaks of: left where a program was killed between keeping a file and the commit of its row."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import select

from runoff.server.store.database import Database
from runoff.server.store.files import FileStore
from runoff.server.store.models.boards import LABEL_SET, QUERY_SET
from runoff.server.store.models.campaigns import CAMPAIGN_SETTINGS
from runoff.server.store.models.runs import RUN

if TYPE_CHECKING:
    from sqlalchemy import Connection


def load_known_hashes(connection: Connection) -> frozenset[str]:
    """The hashes of all files that the database speaks of."""
    known: set[str | None] = set()
    columns = [table.c.content_hash for table in (RUN, LABEL_SET, QUERY_SET)]
    for column in (*columns, CAMPAIGN_SETTINGS.c.query_texts, CAMPAIGN_SETTINGS.c.doc_texts):
        known |= set(connection.execute(select(column)).scalars())
    return frozenset(one for one in known if one is not None)


def remove_orphans(database: Database, files: FileStore, *, before: datetime) -> tuple[str, ...]:
    """Remove the files that no row speaks of and that are older than `before`; return their hashes.

    Younger ones may belong to a transaction that is on its way.
    """
    old = [one for one in files.hashes() if _is_older(files, one, before)]
    if not old:
        return ()
    removed = []
    with files.holding(alone=True):
        with database.read() as connection:
            known = load_known_hashes(connection)
        for content_hash in old:
            # Asked again: the same content may have been stored meanwhile.
            if content_hash not in known and _is_older(files, content_hash, before):
                files.place(content_hash).unlink()
                removed.append(content_hash)
    return tuple(removed)


def remove_if_orphan(database: Database, files: FileStore, content_hash: str) -> bool:
    """Remove a file whose row was refused for certain, unless another row speaks of it; whether it was removed."""
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
