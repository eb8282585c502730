"""Both databases: every test that asks for `database` runs on SQLite, and in `make check` on PostgreSQL too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from runoff.server.store.database import Database, open_database
from tests.once import made_once, shared_folder
from tests.server.store.backends import CHECKED
from tests.server.store.postgresql import shared_server
from tests.server.store.reused import fresh, make_template, upgraded
from tests.server.store.upgraded import put_upgraded
from tests.server.store.world import World


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory) -> Iterator[Path]:
    """Socket folder of a running PostgreSQL, one for all test processes."""
    with shared_server(shared_folder(tmp_path_factory)) as folder:
        yield folder


@pytest.fixture(scope="session")
def upgraded_template(postgresql, tmp_path_factory) -> str:
    """Name of a PostgreSQL database with the newest tables, to be copied; one for all test processes."""
    # Another server, started after the last user of the first was gone, needs another.
    return made_once(tmp_path_factory, f"template-{postgresql.name}", lambda _: make_template(postgresql))


@pytest.fixture(params=CHECKED)
def backend(request):
    """Which kind of database a test runs on."""
    return request.param


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
        with upgraded(request.getfixturevalue("postgresql"), template) as url:
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
