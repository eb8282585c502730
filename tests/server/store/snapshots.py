"""What takes long to put into a database is put there once in a test process, and copied for every further test."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, func, insert, select, text

from runoff.server.store.database import Database
from runoff.server.store.models import METADATA

Made = TypeVar("Made")
_KEPT: dict[Hashable, Snapshot] = {}
_numbers = itertools.count()


@dataclass(frozen=True)
class Snapshot:
    """The rows of all tables, the folders beside the database, and what was returned by whoever made them."""

    rows: dict[str, list[dict[str, Any]]]
    folder: Path
    made: Any


def filled(database: Database, folder: Path, key: Hashable, fill: Callable[[], Made]) -> Made:
    """Let `fill` fill an empty database and a folder, or copy what it did for the same key before.

    What is returned belongs to the database and the folder of the first call; who asks gives it those of this one.
    """
    key = database.engine.dialect.name, key
    found = _KEPT.get(key)
    if found is not None:
        shutil.copytree(found.folder, folder, dirs_exist_ok=True)
        database.write(lambda connection: _put_back(connection, found.rows))
        made: Made = found.made
        return made
    made = fill()
    kept = folder.parent / f"snapshot-{next(_numbers)}"
    for part in folder.iterdir():
        if part.is_dir():
            shutil.copytree(part, kept / part.name)
    with database.read() as connection:
        _KEPT[key] = Snapshot(_rows(connection), kept, made)
    return made


def _rows(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    return {
        table.name: [dict(zip(table.c.keys(), row, strict=True)) for row in connection.execute(select(table))]
        for table in METADATA.sorted_tables
    }


def _put_back(connection: Connection, rows: dict[str, list[dict[str, Any]]]) -> None:
    for table in METADATA.sorted_tables:
        if not rows[table.name]:
            continue
        # Without the names of what is NULL: where a column holds JSON, None would become its null.
        alike: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        for row in rows[table.name]:
            told = {name: value for name, value in row.items() if value is not None}
            alike.setdefault(tuple(told), []).append(told)
        for some in alike.values():
            connection.execute(insert(table), some)
        number = table.autoincrement_column
        if number is not None and connection.dialect.name == "postgresql":
            # A sequence does not see numbers that were not drawn from it.
            last = connection.execute(select(func.max(number))).scalar_one()
            name = f"pg_get_serial_sequence('{table.name}', '{number.name}')"
            connection.execute(text(f"SELECT setval({name}, {int(last)}) WHERE {name} IS NOT NULL"))
