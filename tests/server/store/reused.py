"""PostgreSQL databases with the newest tables: emptied after a test and used again, as long as they can be."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import psycopg
from psycopg import sql

from runoff.server.store.database import open_database, upgrade
from runoff.server.store.models import METADATA

_numbers = itertools.count()
_free: dict[tuple[Path, str], list[str]] = {}

# Whoever makes, changes or removes a table, a column, a constraint, a trigger or a function changes one of these.
_MARKS = "SELECT " + ", ".join(
    f"(SELECT (count(*), max(xmin::text::bigint))::text FROM {catalogue})"
    for catalogue in ("pg_class", "pg_attribute", "pg_attrdef", "pg_constraint", "pg_trigger", "pg_proc")
)
_VERSION = "SELECT version_num FROM alembic_version"
_END_OTHERS = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)
_FROM_ONE = "SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S'"


def address(folder: Path, name: str) -> str:
    """Address of a database for the program."""
    return f"postgresql://runoff@/{name}?host={folder}"


def statement(folder: Path, command: str) -> None:
    """Do something outside of any database of the tests."""
    with _connected(folder, "postgres") as connection:
        connection.execute(command.encode())


@contextmanager
def fresh(folder: Path, template: str) -> Iterator[str]:
    """Address of a new database, a copy of another, for whoever may do anything with it."""
    name = f"runoff_{os.getpid()}_{next(_numbers)}"
    statement(folder, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
    yield address(folder, name)
    statement(folder, f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def upgraded(folder: Path, template: str) -> Iterator[str]:
    """Address of a database like the template, with nothing in its tables; it is used again if it can be emptied."""
    free = _free.setdefault((folder, template), [])
    if free:
        name = free.pop()
    else:
        name = f"runoff_{os.getpid()}_{next(_numbers)}"
        statement(folder, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
    yield address(folder, name)
    if _is_emptied(folder, name, template):
        free.append(name)
    else:
        statement(folder, f"DROP DATABASE {name} WITH (FORCE)")


def make_template(folder: Path) -> str:
    """Make a database with the newest tables, to be copied, and return its name."""
    name = f"template_{os.getpid()}_{next(_numbers)}"
    statement(folder, f"CREATE DATABASE {name}")
    database = open_database(address(folder, name))
    upgrade(database)
    database.close()
    return name


def _connected(folder: Path, name: str) -> psycopg.Connection:
    return psycopg.connect(host=str(folder), dbname=name, user="runoff", autocommit=True)


def _is_emptied(folder: Path, name: str, template: str) -> bool:
    """End whoever is connected, remove all rows and count from 1 again; false if more than rows was changed."""
    expected = _marks_of_template(folder, template)
    with _connected(folder, name) as connection:
        connection.execute(_END_OTHERS)
        if _marks(connection) != expected:
            return False
        with connection.transaction():
            # As a replica: without triggers, which keep rows from being removed, and without looks at foreign keys.
            connection.execute("SET LOCAL session_replication_role = replica")
            for table in METADATA.tables:
                connection.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))
            connection.execute(_FROM_ONE)
    return True


def _marks(connection: psycopg.Connection) -> list[tuple[str, ...]]:
    return [row for query in (_MARKS, _VERSION) for row in connection.execute(query.encode())]


@cache
def _marks_of_template(folder: Path, template: str) -> list[tuple[str, ...]]:
    with fresh(folder, template) as url:
        name = url.partition("@/")[2].partition("?")[0]
        with _connected(folder, name) as connection:
            return _marks(connection)
