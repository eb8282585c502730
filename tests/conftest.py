"""What all tests share: hypothesis profiles, passwords that cost nothing, a browser, and the folder of real data."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.programs import python_alone, required

ROOT = Path(__file__).resolve().parent.parent
DATA_VARIABLE = "RUNOFF_TEST_DATA"
CHROMIUM_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# Fixed examples, so that a failure is the same for everybody; `make proof` draws new and many more.
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    max_examples=50,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "proof", deadline=None, max_examples=2000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci")


# A test of the first tier starts no program but Python, nor do its fixtures. What is taken down behind it may be of
# another tier: a database server, after the last test of all.
@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    with python_alone(item):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    with python_alone(item):
        yield


@pytest.fixture(scope="session", autouse=True)
def light_passwords() -> Iterator[None]:
    """Passwords are hashed with the least work; `tests/server/store/test_passwords.py` takes the real parameters."""
    with pytest.MonkeyPatch.context() as patch:
        if find_spec("argon2"):
            from argon2 import PasswordHasher

            light = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
            patch.setattr("runoff.server.store.access._hasher", lambda: light)
        yield


@pytest.fixture(scope="session", autouse=True)
def shared_statements() -> Iterator[None]:
    """What the store asks a database is compiled once, for all databases of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        if find_spec("sqlalchemy"):
            from sqlalchemy import create_engine

            from tests.server.store.statements import sharing_statements

            patch.setattr("runoff.server.store.database.create_engine", sharing_statements(create_engine))
        yield


@pytest.fixture(scope="module")
def browser():
    """Debian's chromium. Not for longer than a file: while it is there, this process has an event loop that runs."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=required("chromium"), args=CHROMIUM_FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def repository() -> Path:
    """Root folder of the project."""
    return ROOT


def data_folder() -> Path:
    """Folder of real runs, qrels, scores and preferences, which may be absent."""
    return Path(os.environ.get(DATA_VARIABLE, ROOT.parent / "shared" / "data"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real runs, qrels, scores and preferences; the test is skipped where it is absent."""
    folder = data_folder()
    if not folder.is_dir():
        pytest.skip(f"no real data in {folder}; set {DATA_VARIABLE} to the folder that holds it")
    return folder
