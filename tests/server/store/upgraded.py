"""A SQLite file with the newest tables: the migrations run once in a test process, and every further file is a copy."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from runoff.server.store.database import Database, open_database, upgrade


def put_upgraded(file: Path) -> str:
    """Write a database with the newest tables, and nothing in them, and return its address."""
    file.write_bytes(_upgraded())
    return f"sqlite:///{file}"


def open_upgraded(file: Path) -> Database:
    """The same, open."""
    return open_database(put_upgraded(file))


def content_of(file: Path) -> bytes:
    """What a database holds, also what only its log holds yet; written to a file it is that database again."""
    with closing(sqlite3.connect(file)) as connection:
        return connection.serialize()


@cache
def _upgraded() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "runoff.db"
        database = open_database(f"sqlite:///{file}")
        upgrade(database)
        database.close()
        return content_of(file)
