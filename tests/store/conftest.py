"""Both databases: every test that asks for `database` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from runoff.store.database import Database, open_database, upgrade
from tests.store.postgresql import shared_server
from tests.store.world import World

BACKENDS = ("sqlite", "postgresql")
_numbers = itertools.count()


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory) -> Iterator[Path]:
    """Socket folder of a running PostgreSQL, one for all test processes, with an upgraded `template_runoff` in it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    with shared_server(shared) as folder:
        yield folder


def address(folder: Path, name: str) -> str:
    return f"postgresql://runoff@/{name}?host={folder}"


def statement(folder: Path, command: str) -> None:
    engine = create_engine(address(folder, "postgres").replace("://", "+psycopg://"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(command))
    engine.dispose()


@pytest.fixture(params=BACKENDS)
def empty_url(request, tmp_path) -> Iterator[str]:
    """Address of an empty database of the test's own."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'runoff.db'}"
        return
    folder = request.getfixturevalue("postgresql")
    name = f"runoff_{os.getpid()}_{next(_numbers)}"
    statement(folder, f"CREATE DATABASE {name}")
    yield address(folder, name)
    statement(folder, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def empty(empty_url) -> Iterator[Database]:
    """A database without tables."""
    database = open_database(empty_url, connections=20)
    yield database
    database.close()


@pytest.fixture
def database(empty) -> Database:
    """A database with the newest tables, and nothing in them."""
    upgrade(empty)
    return empty


@pytest.fixture
def world(database) -> World:
    """A database with an organiser, a team of one member, an assessor and a board."""
    return World.made_in(database)
