"""Both databases: every test that asks for `database` runs on SQLite, and in `make check` on PostgreSQL too."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from runoff.store.database import Database, open_database, upgrade
from tests.store.backends import CHECKED
from tests.store.postgresql import shared_server
from tests.store.upgraded import put_upgraded
from tests.store.world import World

_numbers = itertools.count()


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory) -> Iterator[Path]:
    """Socket folder of a running PostgreSQL, one for all test processes."""
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


@pytest.fixture(scope="session")
def upgraded_template(postgresql) -> str:
    """Name of a PostgreSQL database with the newest tables, to be copied; each test process has its own."""
    name = f"template_{os.getpid()}_{next(_numbers)}"
    statement(postgresql, f"CREATE DATABASE {name}")
    database = open_database(address(postgresql, name))
    upgrade(database)
    database.close()
    return name


@pytest.fixture(params=CHECKED)
def backend(request):
    """Which kind of database a test runs on."""
    return request.param


@contextmanager
def fresh(folder: Path, template: str) -> Iterator[str]:
    """Address of a new PostgreSQL database, a copy of another."""
    name = f"runoff_{os.getpid()}_{next(_numbers)}"
    statement(folder, f"CREATE DATABASE {name} TEMPLATE {template}")
    yield address(folder, name)
    statement(folder, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def empty_url(backend, request, tmp_path) -> Iterator[str]:
    """Address of an empty database of the test's own."""
    if backend == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.db'}"
    else:
        with fresh(request.getfixturevalue("postgresql"), "template1") as url:
            yield url


@pytest.fixture
def database_url(backend, request, tmp_path) -> Iterator[str]:
    """Address of a database of the test's own with the newest tables."""
    if backend == "sqlite":
        yield put_upgraded(tmp_path / "runoff.db")
    else:
        template = request.getfixturevalue("upgraded_template")
        with fresh(request.getfixturevalue("postgresql"), template) as url:
            yield url


@pytest.fixture
def empty(empty_url) -> Iterator[Database]:
    """A database without tables."""
    database = open_database(empty_url, connections=20)
    yield database
    database.close()


@pytest.fixture
def database(database_url) -> Iterator[Database]:
    """A database with the newest tables, and nothing in them."""
    database = open_database(database_url, connections=20)
    yield database
    database.close()


@pytest.fixture
def world(database) -> World:
    """A database with an organiser, a team of one member, an assessor and a board."""
    return World.made_in(database)
